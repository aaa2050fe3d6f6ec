package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.sqlite.clock.BootClock.BootTime;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of files that are deleted, moved or replaced while a store has them open: that store must stop granting and
 * renewing.
 */
class ReplacedFileTest {
    private static final Duration TERM = Duration.ofMillis(600);
    private static final String REPLACED = "was deleted, moved or replaced while this process had it open";

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("leases.db");
    }

    @Test
    void afterItsFileIsDeletedAHolderLosesItsLeaseByTheEndOfItsTerm() throws Exception {
        try (Leases leases = Holdfast.open("sqlite:" + file)) {
            Lease lease = leases.tryAcquire(
                            Key.of("job"), AcquireOptions.defaults().term(TERM))
                    .granted()
                    .orElseThrow();
            CompletableFuture<LostReason> lost = new CompletableFuture<>();
            lease.onLost(lost::complete);

            deleteAll();

            assertThat(lost.get(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(lease.isHeld()).isFalse();
            StoreException refused = catchThrowableOfType(StoreException.class, () -> leases.tryAcquire("job"));
            assertThat(refused).hasMessageContaining(file + ": " + REPLACED);
            try (Leases others = Holdfast.open("sqlite:" + file)) {
                assertThat(others.tryAcquire("job").isGranted()).isTrue();
            }
        }
    }

    @Test
    void aStoreRejectsWritesAndReadsAfterItsFileIsDeleted() throws IOException {
        Entry entry = Entries.held("a");
        try (SqliteStore store = Stores.open(file)) {
            assertApplied(store, Change.insert(entry));

            deleteAll();

            assertRejectsAll(store, entry);
            assertThat(file).as("a deleted file is not created again").doesNotExist();
        }
    }

    @Test
    void aStoreRejectsCallsEvenWhenTheReplacementOfItsFileIsInUse() throws IOException {
        Entry entry = Entries.held("a");
        Path backup = folder.resolve("backup.db");
        try (SqliteStore other = Stores.open(backup)) {
            assertApplied(other, Change.insert(entry));
        }
        try (SqliteStore store = Stores.open(file)) {
            assertApplied(store, Change.insert(entry));

            deleteAll();
            Files.move(backup, file);

            assertRejectsAll(store, entry);
            try (SqliteStore restored = Stores.open(file)) {
                assertApplied(restored, renewal(entry));
                assertRejectsAll(store, entry);
            }
        }
    }

    @Test
    void aFileThatWasMovedAwayAndBackCanBeUsedAgain() throws IOException {
        Entry entry = Entries.held("a");
        Path away = folder.resolve("away.db");
        try (SqliteStore store = Stores.open(file)) {
            Files.move(file, away);
            assertRejectsAll(store, entry);

            Files.move(away, file);
            assertApplied(store, Change.insert(entry));
        }
    }

    @Test
    void aStoreRejectsWritesAfterItsLogOrLogIndexIsDeleted() throws IOException {
        for (String suffix : List.of("-wal", "-shm")) {
            Path database = folder.resolve("with" + suffix + ".db");
            Path beside = Path.of(database + suffix);
            try (SqliteStore store = Stores.open(database)) {
                assertApplied(store, Change.insert(Entries.held("a")));

                Files.delete(beside);

                StoreException refused = failure(store, Change.insert(Entries.held("b")));
                assertThat(refused).hasMessageContaining(beside + " " + REPLACED);
            }
        }
    }

    /** Another process may have been granted the same key in the new file by then. */
    @Test
    void aWriteDuringWhichTheFileIsReplacedIsNotReportedAsApplied() throws IOException {
        Entry entry = Entries.held("a");
        BootClock replacing = () -> {
            try {
                deleteAll();
                Files.createFile(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new BootTime("boot", 1);
        };
        for (List<Change> changes : List.of(
                List.of(Change.insert(entry)), List.of(Change.insert(entry), Change.insert(Entries.held("b"))))) {
            try (SqliteStore store = Stores.open(file, replacing)) {
                StoreException failure = catchThrowableOfType(StoreException.class, () -> store.apply(changes));

                assertThat(failure).hasMessageContaining(REPLACED);
                assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
            }
        }
    }

    /** The log exists as long as any process has the deleted file open. A new file would allow a second holder. */
    @Test
    void noFileIsCreatedBesideTheLogOfADeletedOne() throws IOException {
        try (SqliteStore store = Stores.open(file)) {
            assertApplied(store, Change.insert(Entries.held("a")));
            Files.delete(file);

            StoreException refused = catchThrowableOfType(
                    StoreException.class, () -> Stores.open(file).close());

            assertThat(refused).hasMessageContaining("does not exist, but " + file + "-wal does");
            assertThat(refused.isRetryable()).isFalse();
            assertThat(file).doesNotExist();
        }
        deleteAll();
        Stores.open(file).close();
    }

    private static void assertRejectsAll(SqliteStore store, Entry entry) {
        for (int i = 0; i < 2; i++) {
            StoreException write = failure(store, Change.insert(Entries.held("new")));
            assertThat(write).hasMessageContaining(REPLACED);
            assertThat(write.isRetryable()).isFalse();
            assertThat(write.effect()).isEqualTo(Effect.NOT_APPLIED);
            assertThat(failure(store, renewal(entry))).hasMessageContaining(REPLACED);
            assertThat(catchThrowableOfType(StoreException.class, () -> store.read(List.of(entry.key()))))
                    .hasMessageContaining(REPLACED);
        }
    }

    private static Change renewal(Entry entry) {
        return Change.replace(entry.version(), Entries.renewed(entry));
    }

    private static void assertApplied(SqliteStore store, Change change) {
        assertThat(store.apply(List.of(change))).containsExactly(WriteOutcome.APPLIED);
    }

    private static StoreException failure(SqliteStore store, Change change) {
        return catchThrowableOfType(StoreException.class, () -> store.apply(List.of(change)));
    }

    private void deleteAll() throws IOException {
        for (String suffix : List.of("", "-wal", "-shm")) {
            Files.deleteIfExists(Path.of(file + suffix));
        }
    }
}
