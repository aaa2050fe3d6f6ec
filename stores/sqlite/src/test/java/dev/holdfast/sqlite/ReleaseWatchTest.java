package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier.Registration;
import dev.holdfast.store.Entry;
import dev.holdfast.store.WriteOutcome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the watch with writes of another connection, as another process would have: nothing else wakes it. */
@Tag("slow")
class ReleaseWatchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Semaphore wakes = new Semaphore(0);

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private SqliteStore store;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private DatabaseFile file;

    @BeforeEach
    void open() {
        Path path = folder.resolve("leases.db");
        store = Stores.open(path);
        SqliteErrors errors = new SqliteErrors(path, SqliteStore.PATIENCE);
        file = DatabaseFile.of(
                Stores.url(path), SqliteSchema.CURRENT, SqliteStore.PATIENCE, errors, FileSystemTypes.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void thePauseGrowsWithTheTimeSinceTheLastCommit() {
        assertThat(ReleaseWatch.pauseNanos(0))
                .isEqualTo(Duration.ofNanos(500_000).toNanos());
        assertThat(ReleaseWatch.pauseNanos(Duration.ofSeconds(1).toNanos()))
                .isEqualTo(Duration.ofMillis(10).toNanos());
        assertThat(ReleaseWatch.pauseNanos(Duration.ofDays(1).toNanos()))
                .isEqualTo(Duration.ofMillis(25).toNanos());
    }

    @Test
    void aKeyReleasedByAnotherStoreWakes() throws InterruptedException {
        Entry entry = put("a");
        try (SqliteStore waiting = Stores.open(folder.resolve("leases.db"))) {
            waiting.onFreed(entry.key(), found -> wakes.release());

            free(entry);

            assertWoken();
        }
    }

    @Test
    void aKeyThatIsAlreadyFreeWakes() throws InterruptedException {
        Entry entry = put("a");
        free(entry);
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), found -> wakes.release());
            assertWoken();

            watch.onFreed(Key.of("never there"), found -> wakes.release());
            assertWoken();
        }
    }

    @Test
    void otherWritesWakeNoClient() throws InterruptedException {
        Entry entry = put("a");
        Entry last = put("b");
        AtomicInteger vain = new AtomicInteger();
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), found -> vain.incrementAndGet());
            watch.onFreed(last.key(), found -> wakes.release());
            for (int i = 0; i < 50; i++) {
                put("other-" + i);
                entry = replace(entry, Entries.renewed(entry));
            }

            // Once this release is seen, all earlier writes were seen too.
            free(last);
            assertWoken();
            assertThat(vain).hasValue(0);
        }
    }

    @Test
    void aWokenClientGetsTheEntryThatWasFound() throws InterruptedException {
        Entry entry = put("a");
        List<Entry> found = new CopyOnWriteArrayList<>();
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), seen -> {
                found.add(seen);
                wakes.release();
            });

            Entry freed = free(entry);

            assertWoken();
            assertThat(found).containsExactly(freed);
        }
    }

    @Test
    void oneReleaseWakesOnceDespiteLaterWrites() throws InterruptedException {
        Entry entry = put("a");
        Entry last = put("b");
        AtomicInteger woken = new AtomicInteger();
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), found -> woken.incrementAndGet());
            watch.onFreed(last.key(), found -> wakes.release());
            Entry freed = free(entry);
            await("woken", () -> woken.get() == 1);
            for (int i = 0; i < 50; i++) {
                put("other-" + i);
            }

            free(last);
            assertWoken();
            assertThat(woken).hasValue(1);

            free(replace(freed, Entries.renewed(entry)));
            await("woken again", () -> woken.get() == 2);
        }
    }

    @Test
    void moreKeysThanOneCheckReadsAreAllSeen() {
        AtomicInteger woken = new AtomicInteger();
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG)) {
            for (int i = 0; i < 1200; i++) {
                watch.onFreed(Key.of("key-" + i), found -> woken.incrementAndGet());
            }

            await("all woken", () -> woken.get() == 1200);
        }
    }

    @Test
    void aFailingCallbackDoesNotKeepOthersFromBeingWoken() throws InterruptedException {
        Entry entry = put("a");
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG)) {
            for (int i = 0; i < 10; i++) {
                watch.onFreed(entry.key(), found -> {
                    throw new IllegalStateException("a bad callback");
                });
                watch.onFreed(entry.key(), found -> {
                    throw new StackOverflowError("a worse callback");
                });
                watch.onFreed(entry.key(), found -> wakes.release());
            }
            free(entry);

            assertThat(wakes.tryAcquire(10, PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void thereIsNoThreadUnlessAClientWaits() throws InterruptedException {
        Entry entry = put("a");
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, Duration.ZERO)) {
            assertThat(watch.isWatching()).isFalse();

            Registration first = watch.onFreed(entry.key(), found -> wakes.release());
            Registration second = watch.onFreed(entry.key(), found -> wakes.release());
            assertThat(watch.isWatching()).isTrue();
            first.close();
            free(entry);
            assertWoken();
            second.close();
            await("ended", () -> !watch.isWatching());

            watch.onFreed(entry.key(), found -> wakes.release());
            assertWoken();
        }
    }

    @Test
    void closingEndsTheThread() throws InterruptedException {
        ReleaseWatch watch = new ReleaseWatch(file::openReader, LONG);
        watch.onFreed(Key.of("a"), found -> wakes.release());
        assertWoken();

        watch.close();

        await("ended", () -> !watch.isWatching());
        watch.onFreed(Key.of("b"), found -> wakes.release());
        assertThat(watch.isWatching()).isFalse();
    }

    @Test
    void aWatchThatCannotOpenTheFileTriesAgain() throws InterruptedException {
        AtomicInteger openings = new AtomicInteger();
        ConnectionLoan.SessionOpener late = () -> {
            if (openings.incrementAndGet() <= 2) {
                throw new SQLException("not now");
            }
            return file.openReader();
        };
        try (ReleaseWatch watch = new ReleaseWatch(late, LONG)) {
            watch.onFreed(Key.of("a"), found -> wakes.release());

            assertWoken();
            assertThat(openings).hasValue(3);
        }
    }

    @Test
    void anErrorWhileTheFileIsOpenedDoesNotEndTheWatch() throws InterruptedException {
        AtomicInteger openings = new AtomicInteger();
        ConnectionLoan.SessionOpener failing = () -> {
            if (openings.incrementAndGet() == 1) {
                throw new OutOfMemoryError("planted");
            }
            return file.openReader();
        };
        try (ReleaseWatch watch = new ReleaseWatch(failing, LONG)) {
            watch.onFreed(Key.of("a"), found -> wakes.release());

            assertWoken();
        }
    }

    @Test
    void theLongestLingerIsAccepted() throws InterruptedException {
        try (ReleaseWatch watch = new ReleaseWatch(file::openReader, Duration.ofSeconds(Long.MAX_VALUE))) {
            watch.onFreed(Key.of("a"), found -> wakes.release()).close();
            watch.onFreed(Key.of("b"), found -> wakes.release());
            assertWoken();
        }
    }

    @Test
    void aLostConnectionIsReplacedAndMissedReleasesAreSeen() throws InterruptedException, SQLException {
        Entry entry = put("a");
        List<SqliteSession> opened = new CopyOnWriteArrayList<>();
        ConnectionLoan.SessionOpener noted = () -> {
            SqliteSession session = file.openReader();
            opened.add(session);
            return session;
        };
        try (ReleaseWatch watch = new ReleaseWatch(noted, LONG)) {
            watch.onFreed(Key.of("not there"), found -> wakes.release());
            assertWoken();
            watch.onFreed(entry.key(), found -> wakes.release());

            opened.get(0).close();
            free(entry);

            assertWoken();
            assertThat(opened).hasSize(2);
        }
    }

    private Entry put(String name) {
        Entry entry = Entries.held(name);
        assertThat(store.apply(List.of(Change.insert(entry)))).containsExactly(WriteOutcome.APPLIED);
        return entry;
    }

    private Entry free(Entry entry) {
        return replace(entry, entry.freed(Entries.version()));
    }

    private Entry replace(Entry before, Entry next) {
        assertThat(store.apply(List.of(Change.replace(before.version(), next)))).containsExactly(WriteOutcome.APPLIED);
        return next;
    }

    private void assertWoken() throws InterruptedException {
        assertThat(wakes.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("woken")
                .isTrue();
    }

    /** Waits in real time, because the thread of a watch is real. */
    private static void await(String description, BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos).as(description).isLessThan(PATIENCE.toNanos());
            LockSupport.parkNanos(1_000_000);
        }
    }
}
