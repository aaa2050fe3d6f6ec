package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
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
    private static final int STOPS = 5;

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
            stopBetweenWrites(holder, leases);
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

    /** A process that is stopped within a renewal keeps SQLite's file locked, so that no other holder can be granted a key. */
    private static void stopBetweenWrites(Process holder, Leases leases) throws Exception {
        signal(holder, "STOP");
        for (int i = 0; i < STOPS && !canWrite(leases); i++) {
            signal(holder, "CONT");
            signal(holder, "STOP");
        }
    }

    private static boolean canWrite(Leases leases) {
        try {
            leases.tryAcquire("probe").orThrow().release();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private static void signal(Process process, String name) throws Exception {
        List<String> kill = List.of("kill", "-" + name, String.valueOf(process.pid()));
        assertThat(new ProcessBuilder(kill).inheritIO().start().waitFor()).isZero();
    }
}
