package dev.holdfast.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.bench.contender.StoreCounts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One ZooKeeper server, which syncs its log before it answers a write. */
final class ZooKeeperServer implements OpponentServer {
    private static final Pattern RECEIVED = Pattern.compile("Received: ([0-9]+)");
    private static final Pattern TRANSACTION = Pattern.compile("Zxid: 0x([0-9a-f]+)");

    private final int port = ServerProgram.freePort();
    private final ServerProgram program;

    ZooKeeperServer(Path folder, ClassPaths classPaths) throws IOException, InterruptedException {
        Path settings = folder.resolve("zoo.cfg");
        // Short ticks, so that sessions may end after a second and are ended in time.
        Files.writeString(settings, """
                tickTime=500
                minSessionTimeout=1000
                maxSessionTimeout=60000
                maxClientCnxns=0
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                forceSync=yes
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                """.formatted(folder.resolve("data"), port));
        List<String> command = classPaths.java(
                classPaths.client("zookeeper"),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                List.of(settings.toString()));
        program = ServerProgram.start(folder, port, command);
    }

    @Override
    public String url(String opponent) {
        return "127.0.0.1:" + port;
    }

    @Override
    public List<ProcessHandle> processes() {
        return program.processes();
    }

    /** A packet counts as one request, a transaction as one write. */
    @Override
    public Optional<StoreCounts> counts(String opponent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("srvr".getBytes(UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            return Optional.of(new StoreCounts(find(RECEIVED, answer, 10), find(TRANSACTION, answer, 16)));
        }
    }

    private static long find(Pattern pattern, String answer, int radix) throws IOException {
        Matcher matcher = pattern.matcher(answer);
        if (!matcher.find()) {
            throw new IOException("ZooKeeper answered: " + answer);
        }
        return Long.parseLong(matcher.group(1), radix);
    }

    @Override
    public String description() {
        return "ZooKeeper, one server, forceSync";
    }

    @Override
    public void close() {
        program.close();
    }
}
