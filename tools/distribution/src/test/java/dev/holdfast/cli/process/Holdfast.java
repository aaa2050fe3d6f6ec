package dev.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CommandRunner;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.TerminalInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The command as users run it: the launcher of the distribution, on a separate store for each test. */
final class Holdfast {
    static final Path HOME = Path.of(System.getProperty("holdfast.distribution"));
    static final Path COMMAND = HOME.resolve("bin/holdfast");

    private static final long PATIENCE_SECONDS = 60;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    Holdfast(Path folder) {
        this(folder, "sqlite:" + folder.resolve("leases.db"));
    }

    Holdfast(Path folder, String store) {
        this.folder = folder;
        environment.put("HOLDFAST_STORE", store);
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("HOME", folder.toString());
        // Use the Java that runs the tests, even if others are installed.
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    Holdfast with(String name, String value) {
        Holdfast other = new Holdfast(folder);
        other.environment.putAll(environment);
        other.environment.put(name, value);
        return other;
    }

    /** The result of a call. */
    record Result(int code, String out, String err) {
        /** The output of a successful call, without the final line break. */
        String line() {
            assertThat(code).as(err).isZero();
            return out.strip();
        }
    }

    Result run(String... args) {
        return start(args).result();
    }

    /** A command line of a shell; {@code holdfast} is on its path. */
    Result shell(String script) {
        return startShell(script).result();
    }

    Running startShell(String script) {
        return new Running(process(List.of("/bin/sh", "-c", script)));
    }

    Running start(String... args) {
        List<String> command = new ArrayList<>(List.of(COMMAND.toString()));
        command.addAll(List.of(args));
        return new Running(process(command));
    }

    /** Starts it like systemd or a shell with job control: as the leader of a new session and process group. */
    Running startInGroup(String... args) {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", "exec setsid \"$@\"", "sh", COMMAND.toString()));
        command.addAll(List.of(args));
        return new Running(process(command));
    }

    /** Runs the command in this JVM, for steps that need no separate process: this takes a hundredth of the time. */
    Result call(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CommandConsole cliConsole = new CommandConsole(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                environment,
                new TerminalInfo(""));
        int code = new CommandRunner(cliConsole).run(args);
        return new Result(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    private Process process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().putAll(environment);
        builder.environment().merge("PATH", HOME.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A running call. Its output is read continuously, so that it never blocks on a full pipe. */
    static final class Running implements AutoCloseable {
        private final Process process;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private final CompletableFuture<Void> reading;

        private Running(Process process) {
            this.process = process;
            this.reading =
                    CompletableFuture.allOf(read(process.getInputStream(), out), read(process.getErrorStream(), err));
        }

        private static CompletableFuture<Void> read(InputStream from, ByteArrayOutputStream into) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                try {
                    from.transferTo(into);
                } catch (IOException e) {
                    into.writeBytes(e.toString().getBytes(UTF_8));
                }
                done.complete(null);
            });
            reader.setDaemon(true);
            reader.start();
            return done;
        }

        long pid() {
            return process.pid();
        }

        String out() {
            return out.toString(UTF_8);
        }

        void awaitErr(String text) {
            Eventually.isTrue(
                    () -> err.toString(UTF_8).contains(text), () -> "'" + text + "' in '" + err.toString(UTF_8) + "'");
        }

        void awaitOut(String text) {
            Eventually.isTrue(
                    () -> out().contains(text),
                    () -> "'" + text + "' in '" + out() + "', stderr: " + err.toString(UTF_8));
        }

        Result result() {
            try {
                assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("ends in time; so far: " + out() + err.toString(UTF_8))
                        .isTrue();
                reading.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                process.destroyForcibly();
            }
            return new Result(process.exitValue(), out(), err.toString(UTF_8));
        }

        /** Waits for the end of the call, for at most this time. */
        void awaitEnd(long nanos) {
            try {
                process.waitFor(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void signal(String name) {
            kill(name, process.pid());
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** @param pid the id of a process; if negative, of a process group */
    static void kill(String signal, long pid) {
        try {
            int code = new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " -- " + pid)
                    .start()
                    .waitFor();
            assertThat(code).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
