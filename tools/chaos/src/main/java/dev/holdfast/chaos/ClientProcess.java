package dev.holdfast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.chaos.client.ChaosClient;
import dev.holdfast.chaos.client.ClientSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One life of a client process. A thread of the harness reads its lines, stamps them, and acknowledges its calls. */
final class ClientProcess {
    private final String name;
    private final Process process;
    private final Writer commands;
    private final HistoryFile history;
    private final Thread reader;
    private final Semaphore announcedWrites = new Semaphore(0);
    private volatile boolean drained;

    private ClientProcess(String name, Process process, HistoryFile history) {
        this.name = name;
        this.process = process;
        this.commands = process.outputWriter(UTF_8);
        this.history = history;
        this.reader = new Thread(this::readLines, "chaos-" + name);
    }

    /** @param folder for the native library that the SQLite driver unpacks; the log is beside it */
    static ClientProcess start(
            ClientSettings settings, Map<String, String> environment, Path folder, HistoryFile history)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dorg.sqlite.tmpdir=" + folder,
                "-Dslf4j.internal.verbosity=WARN",
                "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-cp",
                System.getProperty("java.class.path"),
                ChaosClient.class.getName()));
        command.addAll(settings.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(
                        ProcessBuilder.Redirect.appendTo(folder.resolveSibling("client-" + settings.name() + ".log")
                                .toFile()));
        builder.environment().putAll(environment);
        ClientProcess client = new ClientProcess(settings.name(), builder.start(), history);
        client.reader.setDaemon(true);
        client.reader.start();
        return client;
    }

    private void readLines() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
                // A line without its end was cut by a kill: its call has not begun, or its answer is unknown.
                if (line.endsWith(";")) {
                    take(line.substring(0, line.length() - 1));
                }
            }
        } catch (IOException e) {
            // The process has ended.
        }
    }

    private void take(String line) {
        if (line.equals("0 drained")) {
            drained = true;
            return;
        }
        history.client(name, line);
        int space = line.indexOf(' ');
        if (line.startsWith("call ", space + 1)) {
            send("go " + line.substring(0, space));
            if (line.startsWith("call op=write ", space + 1)) {
                announcedWrites.release();
            }
        }
    }

    /** Sends a command; a process that has ended ignores it. */
    synchronized void send(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Waits until the client begins a write, or the time is over. */
    void awaitWrite(long timeoutMillis) throws InterruptedException {
        announcedWrites.drainPermits();
        announcedWrites.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isDrained() {
        return drained;
    }

    /** Ends the process as SIGKILL does. Its last lines are still read. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Waits for the end of the process and of its lines. */
    boolean awaitEnd(long timeoutMillis) throws InterruptedException {
        boolean ended = process.waitFor(timeoutMillis, TimeUnit.MILLISECONDS);
        if (ended) {
            reader.join(timeoutMillis);
        }
        return ended;
    }
}
