package dev.holdfast.sqlite.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Run with {@code -Dholdfast.contention.processes=8 -Dholdfast.contention.seconds=60} for the full test. */
@Tag("slow")
class ContentionTest {
    private static final int PROCESSES = Integer.getInteger("holdfast.contention.processes", 4);
    private static final int SECONDS = Integer.getInteger("holdfast.contention.seconds", 2);

    private static final int CLIENT_PROCESSES = 10;
    private static final int CLIENTS_EACH = 5;

    private final List<Child> children = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void killChildren() {
        children.forEach(Child::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask", "wait"})
    void processesThatShareALockLoseNoUpdate(String how) throws IOException, InterruptedException {
        Path counter = Files.writeString(folder.resolve("counter"), "0");
        for (int i = 0; i < PROCESSES; i++) {
            start(Incrementer.class, url(), counter, SECONDS, how);
        }
        go();

        List<Long> increments = new ArrayList<>();
        long longestMillis = 0;
        for (Child child : children) {
            List<Long> said = child.numbers("increments");
            increments.add(said.get(0));
            longestMillis = Math.max(longestMillis, said.get(1));
            child.awaitSuccess();
        }

        long sum = increments.stream().mapToLong(Long::longValue).sum();
        System.out.printf(
                "contention: %d processes that %s, %d s, increments %s, longest wait %d ms%n",
                PROCESSES, how, SECONDS, increments, longestMillis);
        assertThat(Files.readString(counter)).isEqualTo(Long.toString(sum));
        assertThat(increments).as("every process had the lock").doesNotContain(0L);
    }

    @Test
    void ofFiftyClientsInTenProcessesExactlyOneIsGranted() throws IOException, InterruptedException {
        for (int i = 0; i < CLIENT_PROCESSES; i++) {
            start(Claimants.class, url(), CLIENTS_EACH);
        }
        go();

        long granted = 0;
        long slowestMillis = 0;
        for (Child child : children) {
            List<Long> said = child.numbers("granted");
            granted += said.get(0);
            slowestMillis = Math.max(slowestMillis, said.get(1));
            child.awaitSuccess();
        }

        System.out.printf(
                "claimants: %d clients in %d processes, %d granted, slowest response after %d ms%n",
                CLIENT_PROCESSES * CLIENTS_EACH, CLIENT_PROCESSES, granted, slowestMillis);
        assertThat(granted).isEqualTo(1);
    }

    /** With two processes that write as fast as they can, SQLite alone makes one of them wait for seconds. */
    @Test
    void twoBusyWritersTakeTurns() throws IOException, InterruptedException {
        start(BusyWriter.class, folder.resolve("leases.db"), 1, SECONDS);
        start(BusyWriter.class, folder.resolve("leases.db"), 2, SECONDS);
        go();

        List<Long> first = children.get(0).numbers("writes");
        List<Long> second = children.get(1).numbers("writes");
        System.out.printf(
                "busy writers: %d and %d commits in %d s, longest %d ms and %d ms%n",
                first.get(0), second.get(0), SECONDS, first.get(1), second.get(1));

        assertThat(Math.min(first.get(0), second.get(0)))
                .as("commits of the slower one")
                .isGreaterThan(Math.max(first.get(0), second.get(0)) / 4);
    }

    private String url() {
        return "sqlite:" + folder.resolve("leases.db");
    }

    private void start(Class<?> main, Object... arguments) throws IOException {
        children.add(Child.start(main, folder, arguments));
    }

    private void go() throws IOException {
        for (Child child : children) {
            child.numbers("ready");
        }
        for (Child child : children) {
            child.send("go");
        }
    }
}
