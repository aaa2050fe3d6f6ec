package dev.holdfast.bench.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.bench.contender.TurnMessage;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A lock client in a process and on a class path of its own. */
final class ContestantProcess implements AutoCloseable {
    /** For acquiring 100,000 locks one by one at the slowest opponent, and then some. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final String ENDED = "failed reason=ended";

    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedWriter requests;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final TurnMessage features;

    ContestantProcess(String name, List<String> command, Path log) throws IOException {
        this.name = name;
        this.log = log;
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        requests = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        Thread reader = new Thread(this::read, "answers of " + name);
        reader.setDaemon(true);
        reader.start();
        features = answer();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // The process was killed.
        }
        answers.add(ENDED);
    }

    boolean hasAsync() {
        return features.isTrue("async");
    }

    boolean hasDone() {
        return features.isTrue("once");
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    /** Sends a request, and waits for its answer. */
    TurnMessage ask(TurnMessage request) throws IOException {
        send(request);
        return answer();
    }

    void send(TurnMessage request) throws IOException {
        requests.write(request + "\n");
        requests.flush();
    }

    /** Waits for the answer to a request that was sent. */
    TurnMessage answer() throws IOException {
        String line;
        try {
            line = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted", e);
        }
        TurnMessage answer = TurnMessage.parse(line == null ? "failed reason=no+answer" : line);
        return switch (answer.verb()) {
            case "ok" -> answer;
            case "overlap" -> throw new OverlapException(name + ": " + answer.text("reason"));
            default -> throw new IOException(name + ": " + answer.text("reason") + ", see " + log);
        };
    }

    /** Kills the process like {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException {
        try {
            requests.close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
