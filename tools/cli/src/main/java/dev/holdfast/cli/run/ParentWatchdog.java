package dev.holdfast.cli.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Watchdog that terminates the child if holdfast itself is killed. It is a shell that reads from a pipe which only
 * holdfast writes to. If the pipe closes without a final line, holdfast has died, for any reason. The watchdog does not
 * poll and needs only a POSIX shell.
 *
 * <p>The kernel's own mechanism (a signal at the death of the parent) is Linux only, needs a helper program, and is
 * tied to the thread that started the child.
 */
final class ParentWatchdog {
    /**
     * The mark comes in through the pipe and goes to {@code grep} through another one, because arguments are visible to
     * all users of the machine. {@code printf} is built into the shell, so its arguments are not visible.
     */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r mark; read -r grace
            read -r pid || sleep 1 # holdfast was killed while it started the command, which will have the mark soon
            read -r end && exit 0
            pids() {
              echo "$pid"
              for f in $(printf '%s\\n' "$mark" | grep -lzFx -f - /proc/[0-9]*/environ 2>/dev/null); do
                f=${f#/proc/}; echo "${f%/environ}"
              done
            }
            signal() { # one by one, as some processes may have ended; false if all have
              there=1
              for p in $(pids); do kill -s "$1" "$p" 2>/dev/null && there=0; done
              return $there
            }
            signal TERM
            while [ "$grace" -gt 0 ] && signal 0; do sleep 1; grace=$((grace - 1)); done
            signal KILL
            """;

    private final @Nullable Process shell;

    private ParentWatchdog(@Nullable Process shell) {
        this.shell = shell;
    }

    /**
     * Starts a watchdog over the processes with the mark in their environment, where the system shows it. It starts
     * before the command, because holdfast may be killed right after it has started the command.
     *
     * <p>Without a shell there is no watchdog; the lease still expires with its term.
     */
    static ParentWatchdog overMarked(String mark, Duration grace) {
        Process shell = null;
        try {
            shell = start();
        } catch (IOException e) {
            // No shell, so no watchdog.
        }
        ParentWatchdog watchdog = new ParentWatchdog(shell);
        watchdog.write(mark + "\n" + Math.max(1, grace.toSeconds()) + "\n");
        return watchdog;
    }

    /** Watches the started command by its process id, too. Must be called once. */
    void watch(ProcessHandle child) {
        write(child.pid() + "\n");
    }

    private void write(String text) {
        if (shell == null) {
            return;
        }
        try {
            OutputStream pipe = shell.getOutputStream();
            pipe.write(text.getBytes(US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // The shell has ended, so there is no watchdog.
        }
    }

    private static Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", SCRIPT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .directory(new File("/"));
        Map<String, String> environment = builder.environment();
        String path = environment.get("PATH");
        // The shell's environment must not contain the mark, otherwise it would find itself.
        environment.clear();
        environment.put("PATH", path == null ? "/usr/bin:/bin" : path);
        return builder.start();
    }

    /** Stops the watchdog after the child has ended. Idempotent. */
    void dismiss() {
        if (shell == null) {
            return;
        }
        try (OutputStream pipe = shell.getOutputStream()) {
            // Two lines: the first replaces the process id if the command never started.
            pipe.write("\n\n".getBytes(US_ASCII));
        } catch (IOException e) {
            // The shell has already ended.
        }
    }
}
