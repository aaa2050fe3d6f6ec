package dev.holdfast.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwarding of signals to the child. Holdfast itself does not end: the child decides when to exit. */
final class SignalForwarding implements AutoCloseable {
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP", "USR1", "USR2");

    private final boolean terminal;
    private final List<Runnable> undo = new ArrayList<>();
    private final StopRequest stop = new StopRequest();
    private @Nullable ProcessHandle child;
    private @Nullable String pending;

    private SignalForwarding(boolean terminal) {
        this.terminal = terminal;
    }

    /** @param terminal whether stdin is a terminal: used where the system does not show the foreground process group */
    static SignalForwarding caught(boolean terminal) {
        SignalForwarding forwarding = new SignalForwarding(terminal);
        NAMES.forEach(name -> forwarding.undo.add(SystemSignal.handle(name, () -> forwarding.caught(name))));
        return forwarding;
    }

    private synchronized void caught(String name) {
        Integer number = StopRequest.SIGNALS.get(name);
        if (number != null) {
            stop.receive(number);
        }
        if (child == null) {
            pending = name;
        } else if (!isFromTerminal(name)) {
            send(name, child);
        }
    }

    /** The stop request, if a forwarded signal was one. Not every signal is. */
    StopRequest stop() {
        return stop;
    }

    synchronized void forwardTo(ProcessHandle newChild) {
        child = newChild;
        if (pending != null) {
            send(pending, newChild);
            pending = null;
        }
    }

    /**
     * The terminal sends its signals to the whole foreground group, including the child, which must not get them twice.
     */
    private boolean isFromTerminal(String name) {
        return (name.equals("INT") || name.equals("HUP")) && isForeground();
    }

    private boolean isForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // pid (name) state ppid group session terminal foreground-group ...; the name may contain anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 7);
            return !fields[4].equals("0") && fields[2].equals(fields[5]);
        } catch (IOException | IndexOutOfBoundsException e) {
            return terminal;
        }
    }

    private static void send(String name, ProcessHandle to) {
        if (!to.isAlive()) {
            return; // The system may have reused its process id.
        }
        if (name.equals("TERM")) {
            to.destroy();
            return;
        }
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(to.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            to.destroy();
        }
    }

    @Override
    public void close() {
        undo.forEach(Runnable::run);
    }
}
