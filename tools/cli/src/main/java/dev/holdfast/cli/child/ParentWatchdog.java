package dev.holdfast.cli.child;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends the child if holdfast itself is killed: a shell that reads from a pipe which only holdfast can write to. If the
 * pipe closes without a last word, holdfast is gone, whatever killed it. No polling, and nothing but a POSIX shell.
 *
 * <p>The kernel's own way (a signal at the death of the parent) is Linux only, needs a helper program, and is tied to
 * the thread that started the child.
 */
final class ParentWatchdog {
    /**
     * What it is told comes by the pipe, and goes to {@code grep} by one, too: arguments can be read by every user of the
     * machine. {@code printf} has none, as it is built into the shell.
     */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r mark; read -r grace
            read -r pid || sleep 1 # killed while it started the command, which is about to have the mark
            read -r end && exit 0
            pids() {
              echo "$pid"
              for f in $(printf '%s\\n' "$mark" | grep -lzFx -f - /proc/[0-9]*/environ 2>/dev/null); do
                f=${f#/proc/}; echo "${f%/environ}"
              done
            }
            tell() { # one by one: some of them may be gone by now; false if all are
              there=1
              for p in $(pids); do kill -s "$1" "$p" 2>/dev/null && there=0; done
              return $there
            }
            tell TERM
            while [ "$grace" -gt 0 ] && tell 0; do sleep 1; grace=$((grace - 1)); done
            tell KILL
            """;

    private final @Nullable Process shell;

    private ParentWatchdog(@Nullable Process shell) {
        this.shell = shell;
    }

    /**
     * Watches over the processes that have the mark in their environment, where that can be seen. It begins before the
     * command does: holdfast may be killed right after it has started the command.
     *
     * <p>Where there is no shell there is no watchdog; the lease ends with its term all the same.
     */
    static ParentWatchdog overMarked(String mark, Duration grace) {
        Process shell = null;
        try {
            shell = start();
        } catch (IOException e) {
            // As without a shell.
        }
        ParentWatchdog parentWatchdog = new ParentWatchdog(shell);
        parentWatchdog.write(mark + "\n" + Math.max(1, grace.toSeconds()) + "\n");
        return parentWatchdog;
    }

    /** The command has started: from now on it is watched by its process id, too. To be called once. */
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
            // It is gone: as without a shell.
        }
    }

    private static Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", SCRIPT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .directory(new File("/"));
        Map<String, String> environment = builder.environment();
        String path = environment.get("PATH");
        // The mark must not be in it, or it would find itself.
        environment.clear();
        environment.put("PATH", path == null ? "/usr/bin:/bin" : path);
        return builder.start();
    }

    /** The child has ended: there is nothing to watch. May be called again. */
    void dismiss() {
        if (shell == null) {
            return;
        }
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.write("\n\n".getBytes(US_ASCII)); // In place of a process id, too, if there never was one.
        } catch (IOException e) {
            // It is gone already.
        }
    }
}
