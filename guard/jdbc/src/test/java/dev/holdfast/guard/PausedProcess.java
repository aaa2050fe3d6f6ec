package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/**
 * A real process that holds a lease and is stopped past its term. The process calls {@link #pauseHere} when it has checked its
 * lease and is about to write.
 */
public final class PausedProcess {
    private PausedProcess() {}

    /** The write of the next holder, which is granted the key while the process is stopped. */
    @FunctionalInterface
    public interface NextWrite {
        void run(Lease next) throws Exception;
    }

    /** Called by the process: it goes on after the next holder has written. */
    public static void pauseHere(boolean isHeld) {
        System.out.println(isHeld ? "holds" : "lost");
        new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
    }

    /**
     * Runs a process until it pauses, stops it with SIGSTOP, writes as the next holder, and continues it.
     *
     * @param main started with {@code store} and the further arguments
     * @return the report of the process: one line
     */
    public static String stopPastTheTerm(Class<?> main, String store, Key key, NextWrite write, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                store));
        command.addAll(List.of(arguments));
        Process holder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (Leases leases = Holdfast.open(store);
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("holds");
            signal(holder, "STOP");
            AcquireOptions options = AcquireOptions.defaults();
            try (Lease next =
                    leases.acquire(key, options, Duration.ofSeconds(60)).orThrow()) {
                write.run(next);
            }
            signal(holder, "CONT");
            holder.outputWriter().write("\n");
            holder.outputWriter().flush();
            return String.valueOf(said.readLine());
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    private static void signal(Process process, String name) throws Exception {
        List<String> kill = List.of("kill", "-" + name, String.valueOf(process.pid()));
        assertThat(new ProcessBuilder(kill).inheritIO().start().waitFor()).isZero();
    }
}
