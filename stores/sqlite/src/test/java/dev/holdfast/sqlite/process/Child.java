package dev.holdfast.sqlite.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Another JVM, with the class path of this one. It communicates in lines, including errors. */
final class Child implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    /** A process that hangs is killed, and a reader of its output then finds the end. */
    private static final int LIFE_SECONDS = 120 + Integer.getInteger("holdfast.contention.seconds", 0);

    private final Process process;
    private final BufferedReader out;
    private final Writer in;

    private Child(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        this.in = process.outputWriter(UTF_8);
    }

    /**
     * Starts {@code main}.
     *
     * @param folder where the driver unpacks its native library, because a killed process does not clean up
     */
    static Child start(Class<?> main, Path folder, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-Dorg.sqlite.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Child child =
                new Child(new ProcessBuilder(command).redirectErrorStream(true).start());
        CompletableFuture.delayedExecutor(LIFE_SECONDS, TimeUnit.SECONDS).execute(child::kill);
        return child;
    }

    /** Returns the next line; blocks until there is one, and fails at the end of the output. */
    String line() throws IOException {
        String line = out.readLine();
        assertThat(line).as("a line of process %s", process.pid()).isNotNull();
        return line;
    }

    /** Returns the numbers after {@code word}, which the next line must begin with. */
    List<Long> numbers(String word) throws IOException {
        String line = line();
        if (!line.startsWith(word)) {
            throw new AssertionError(line + '\n' + String.join("\n", rest()));
        }
        return List.of(line.substring(word.length()).strip().split(" ")).stream()
                .filter(text -> !text.isEmpty())
                .map(Long::valueOf)
                .toList();
    }

    /** Returns all remaining lines. An incomplete last line does not count. */
    List<String> rest() throws IOException {
        StringBuilder text = new StringBuilder();
        char[] some = new char[8192];
        for (int length = out.read(some); length >= 0; length = out.read(some)) {
            text.append(some, 0, length);
        }
        int end = text.lastIndexOf("\n");
        return end < 0 ? List.of() : text.substring(0, end).lines().toList();
    }

    void send(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    /** Sends SIGKILL. Its output can still be read, unlike after {@link Process#destroyForcibly}. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    void awaitSuccess() throws InterruptedException, IOException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("ended")
                .isTrue();
        assertThat(rest()).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
