package dev.holdfast.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.bench.contender.StoreCounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Redis that syncs its append-only file before it answers a write. */
final class RedisServer implements OpponentServer {
    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=([0-9]+)");

    private final int port = ServerProgram.freePort();
    private final ServerProgram program;

    RedisServer(Path folder) throws IOException, InterruptedException, MissingProgramException {
        String redis = DebianProgram.find("redis-server", "redis-server");
        String options = "--port %d --bind 127.0.0.1 --dir %s --appendonly yes --appendfsync always";
        List<String> command = new java.util.ArrayList<>(List.of(redis));
        command.addAll(List.of(options.formatted(port, folder).split(" ")));
        command.addAll(List.of("--save", ""));
        program = ServerProgram.start(folder, port, command);
    }

    @Override
    public String url(String opponent) {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public List<ProcessHandle> processes() {
        return program.processes();
    }

    /** A script counts as one request; the commands inside it are its writes. */
    @Override
    public Optional<StoreCounts> counts(String opponent) throws IOException {
        long requests = 0;
        long writes = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("INFO commandstats\r\nQUIT\r\n".getBytes(UTF_8));
            BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher calls = CALLS.matcher(line);
                if (calls.lookingAt()) {
                    long count = Long.parseLong(calls.group(2));
                    switch (calls.group(1)) {
                        case "eval", "evalsha" -> requests += count;
                        case "set" -> {
                            requests += count;
                            writes += count;
                        }
                        case "del", "pexpire", "hincrby", "hdel", "hset", "persist" -> writes += count;
                        default -> {
                            // Reads inside scripts, notifications, and the commands of this method.
                        }
                    }
                }
            }
        }
        return Optional.of(new StoreCounts(requests, writes));
    }

    @Override
    public String description() {
        return "Redis, appendonly yes, appendfsync always";
    }

    @Override
    public void close() {
        program.close();
    }
}
