package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.model.Entry;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaTest {
    private static final int OPENERS = 4;
    private static final int ROUNDS = 20;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("leases.db");
    }

    @Test
    void severalThatOpenANewFileAtOnceShareIt() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(OPENERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Path fresh = folder.resolve("fresh-" + round + ".db");
                assertThat(openTogether(threads, fresh))
                        .filteredOn(Outcome.APPLIED::equals)
                        .as("winners of round %s", round)
                        .hasSize(1);
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Each opens the file, and all try to create one entry. */
    private static List<Outcome> openTogether(ExecutorService threads, Path fresh) throws Exception {
        CyclicBarrier start = new CyclicBarrier(OPENERS);
        Callable<Outcome> opener = () -> {
            start.await();
            try (SqliteStore store = Stores.open(fresh)) {
                return store.apply(List.of(Change.insert(Entries.held("a")))).get(0);
            }
        };
        List<Outcome> outcomes = new ArrayList<>();
        for (Future<Outcome> future : List.of(
                threads.submit(opener), threads.submit(opener), threads.submit(opener), threads.submit(opener))) {
            outcomes.add(future.get(30, TimeUnit.SECONDS));
        }
        return outcomes;
    }

    @Test
    void anOlderFileIsBroughtUpToDateAndKeepsItsEntries() throws SQLException {
        Entry entry = Entries.held("a");
        try (SqliteStore store = Stores.open(file)) {
            store.apply(List.of(Change.insert(entry)));
        }

        try (SqliteStore store = Stores.open(file, next("CREATE TABLE extra (a INTEGER) STRICT"))) {
            assertThat(store.read(List.of(entry.key())).get(0).orElseThrow().entry())
                    .isEqualTo(entry);
        }

        try (Sql sql = new Sql(file)) {
            assertThat(sql.ask("PRAGMA user_version")).isEqualTo("2");
            assertThat(sql.ask("SELECT count(*) FROM extra")).isEqualTo("0");
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Stores.open(file))
                .withMessageContaining("written by a newer Holdfast, with schema 2 where this one knows 1");
    }

    @Test
    void anUpgradeThatFailsLeavesTheFileAsItWas() throws IOException {
        Stores.open(file).close();
        byte[] before = Files.readAllBytes(file);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Stores.open(file, next("CREATE TABLE extra (a)", "no SQL at all")));

        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        Stores.open(file).close();
    }

    private static Schema next(String... statements) {
        return Schema.CURRENT.with(List.of(statements));
    }
}
