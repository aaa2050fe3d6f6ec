package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A process with its children, which this process has started and ends at the latest when it ends itself. */
public final class OwnedProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<OwnedProcess> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OwnedProcess::killAll, "chaos-processes-end"));
    }

    private final Process process;

    private OwnedProcess(Process process) {
        this.process = process;
    }

    /** Starts a process. Its output is appended to {@code log}. */
    public static OwnedProcess start(List<String> command, Map<String, String> environment, Path log)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        OwnedProcess owned = new OwnedProcess(builder.start());
        ALIVE.add(owned);
        return owned;
    }

    private static void killAll() {
        ALIVE.forEach(owned -> owned.process.descendants().forEach(ProcessHandle::destroyForcibly));
        ALIVE.forEach(owned -> owned.process.destroyForcibly());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Sends a signal such as {@code TERM} to the process alone. */
    public void signal(String signal) throws IOException, InterruptedException {
        ProcessSignals.send(signal, List.of(process.toHandle()));
    }

    /** Stops the process and its children with SIGSTOP. The parent goes first, so that it starts no more. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
        ProcessSignals.send("STOP", process.descendants().toList());
    }

    public void resume() throws IOException, InterruptedException {
        ProcessSignals.send("CONT", process.descendants().toList());
        signal("CONT");
    }

    /** Kills the process and its children with SIGKILL, and waits until all are gone. */
    public void kill() throws IOException, InterruptedException {
        if (process.isAlive()) {
            signal("STOP");
        }
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        if (!awaitEnd(PATIENCE)) {
            throw new IOException("process " + pid() + " is still there " + PATIENCE + " after SIGKILL");
        }
        for (ProcessHandle child : children) {
            child.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
        ALIVE.remove(this);
    }

    /** Waits for the end of the process. Returns whether it has ended. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
