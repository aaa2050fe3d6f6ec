package dev.holdfast.chaos.process;

import dev.holdfast.chaos.process.Readiness.ReadyCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server process that is started again with the same command after each end. */
public final class RestartableProcess implements AutoCloseable {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    /** As often as a supervisor would try while the database of the server is down. */
    private static final int START_ATTEMPTS = 20;

    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private final ReadyCheck check;
    private @Nullable OwnedProcess process;

    RestartableProcess(String name, List<String> command, Map<String, String> environment, Path log, ReadyCheck check) {
        this.name = name;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.log = log;
        this.check = check;
    }

    /** Starts the process unless it runs, continues it if it is stopped, and waits until it is ready. */
    public synchronized void start() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            OwnedProcess running = process;
            if (running != null && running.isAlive()) {
                running.resume();
            } else {
                running = OwnedProcess.start(command, environment, log);
                process = running;
            }
            try {
                Readiness.await(name, running, check);
                return;
            } catch (IOException e) {
                if (running.isAlive() || attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Kills the process with SIGKILL. */
    public synchronized void kill() throws IOException, InterruptedException {
        if (process != null) {
            process.kill();
        }
    }

    /** Ends the process in an orderly way, by SIGTERM. */
    public synchronized void stop() throws IOException, InterruptedException {
        if (process != null && process.isAlive()) {
            process.signal("TERM");
            if (!process.awaitEnd(STOP_PATIENCE)) {
                process.kill();
                throw new IOException(name + " did not end " + STOP_PATIENCE + " after SIGTERM");
            }
        }
    }

    /** Stops the process with SIGSTOP. {@link #start} continues it. */
    public synchronized void pause() throws IOException, InterruptedException {
        if (process != null && process.isAlive()) {
            process.pause();
        }
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.close();
        }
    }
}
