package dev.holdfast.chaos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.Writer;

/** A shell that sends signals. It is started once, because a process of its own for each signal comes too late on a busy machine. */
final class SignalShell implements AutoCloseable {
    private final Process shell;
    private final Writer commands;

    SignalShell() throws IOException {
        this.shell = new ProcessBuilder("sh")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        this.commands = shell.outputWriter(US_ASCII);
    }

    /** Sends a signal, such as {@code STOP}. A process that has ended ignores it. */
    synchronized void send(String signal, ClientProcess process) throws IOException {
        if (process.isAlive()) {
            commands.write("kill -" + signal + " " + process.pid() + "\n");
            commands.flush();
        }
    }

    @Override
    public void close() {
        shell.destroy();
    }
}
