package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
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

/** What a watch sees is what another connection, as another process would have, writes: there is nothing else to wake it. */
@Tag("slow")
class WatchTest {
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
                Stores.url(path), Schema.CURRENT, SqliteStore.PATIENCE, errors, FileSystemTypes.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void whatAnotherStoreFreesWakes() throws InterruptedException {
        Entry entry = put("a");
        try (SqliteStore waiting = Stores.open(folder.resolve("leases.db"))) {
            waiting.onFreed(entry.key(), wakes::release);

            free(entry);

            assertWoken();
        }
    }

    @Test
    void whatIsFreeAlreadyWakes() throws InterruptedException {
        Entry entry = put("a");
        free(entry);
        try (Watch watch = new Watch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), wakes::release);
            assertWoken();

            watch.onFreed(Key.of("never there"), wakes::release);
            assertWoken();
        }
    }

    @Test
    void whatIsWrittenOtherwiseWakesNobody() throws InterruptedException {
        Entry entry = put("a");
        Entry last = put("b");
        AtomicInteger vain = new AtomicInteger();
        try (Watch watch = new Watch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), vain::incrementAndGet);
            watch.onFreed(last.key(), wakes::release);
            for (int i = 0; i < 50; i++) {
                put("other-" + i);
                entry = replace(entry, Entries.renewed(entry));
            }

            // That this is seen shows that all before it was.
            free(last);
            assertWoken();
            assertThat(vain).hasValue(0);
        }
    }

    @Test
    void oneReleaseWakesOnceWhateverIsWrittenAfterIt() throws InterruptedException {
        Entry entry = put("a");
        Entry last = put("b");
        AtomicInteger woken = new AtomicInteger();
        try (Watch watch = new Watch(file::openReader, LONG)) {
            watch.onFreed(entry.key(), woken::incrementAndGet);
            watch.onFreed(last.key(), wakes::release);
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
    void moreKeysThanOneLookTakesAreAllSeen() {
        AtomicInteger woken = new AtomicInteger();
        try (Watch watch = new Watch(file::openReader, LONG)) {
            for (int i = 0; i < 1200; i++) {
                watch.onFreed(Key.of("key-" + i), woken::incrementAndGet);
            }

            await("all woken", () -> woken.get() == 1200);
        }
    }

    @Test
    void aCallbackThatFailsKeepsNobodyFromBeingWoken() throws InterruptedException {
        Entry entry = put("a");
        try (Watch watch = new Watch(file::openReader, LONG)) {
            for (int i = 0; i < 10; i++) {
                watch.onFreed(entry.key(), () -> {
                    throw new IllegalStateException("a bad callback");
                });
                watch.onFreed(entry.key(), () -> {
                    throw new StackOverflowError("a worse callback");
                });
                watch.onFreed(entry.key(), wakes::release);
            }
            free(entry);

            assertThat(wakes.tryAcquire(10, PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void thereIsNoThreadUnlessSomebodyWaits() throws InterruptedException {
        Entry entry = put("a");
        try (Watch watch = new Watch(file::openReader, Duration.ZERO)) {
            assertThat(watch.isWatching()).isFalse();

            Runnable first = watch.onFreed(entry.key(), wakes::release);
            Runnable second = watch.onFreed(entry.key(), wakes::release);
            assertThat(watch.isWatching()).isTrue();
            first.run();
            free(entry);
            assertWoken();
            second.run();
            await("ended", () -> !watch.isWatching());

            watch.onFreed(entry.key(), wakes::release);
            assertWoken();
        }
    }

    @Test
    void closingEndsTheThread() throws InterruptedException {
        Watch watch = new Watch(file::openReader, LONG);
        watch.onFreed(Key.of("a"), wakes::release);
        assertWoken();

        watch.close();

        await("ended", () -> !watch.isWatching());
        watch.onFreed(Key.of("b"), wakes::release);
        assertThat(watch.isWatching()).isFalse();
    }

    @Test
    void aWatchThatCannotOpenTheFileTriesAgain() throws InterruptedException {
        AtomicInteger openings = new AtomicInteger();
        Link.Opening late = () -> {
            if (openings.incrementAndGet() <= 2) {
                throw new SQLException("not now");
            }
            return file.openReader();
        };
        try (Watch watch = new Watch(late, LONG)) {
            watch.onFreed(Key.of("a"), wakes::release);

            assertWoken();
            assertThat(openings).hasValue(3);
        }
    }

    @Test
    void anErrorWhileTheFileIsOpenedDoesNotEndTheWatch() throws InterruptedException {
        AtomicInteger openings = new AtomicInteger();
        Link.Opening failing = () -> {
            if (openings.incrementAndGet() == 1) {
                throw new OutOfMemoryError("planted");
            }
            return file.openReader();
        };
        try (Watch watch = new Watch(failing, LONG)) {
            watch.onFreed(Key.of("a"), wakes::release);

            assertWoken();
        }
    }

    @Test
    void theLongestLingerIsTaken() throws InterruptedException {
        try (Watch watch = new Watch(file::openReader, Duration.ofSeconds(Long.MAX_VALUE))) {
            watch.onFreed(Key.of("a"), wakes::release).run();
            watch.onFreed(Key.of("b"), wakes::release);
            assertWoken();
        }
    }

    @Test
    void aLostConnectionIsReplacedAndWhatWasMissedIsSeen() throws InterruptedException, SQLException {
        Entry entry = put("a");
        List<Session> opened = new CopyOnWriteArrayList<>();
        Link.Opening noted = () -> {
            Session session = file.openReader();
            opened.add(session);
            return session;
        };
        try (Watch watch = new Watch(noted, LONG)) {
            watch.onFreed(Key.of("not there"), wakes::release);
            assertWoken();
            watch.onFreed(entry.key(), wakes::release);

            opened.get(0).close();
            free(entry);

            assertWoken();
            assertThat(opened).hasSize(2);
        }
    }

    private Entry put(String name) {
        Entry entry = Entries.held(name);
        assertThat(store.apply(List.of(Change.insert(entry)))).containsExactly(Outcome.APPLIED);
        return entry;
    }

    private Entry free(Entry entry) {
        return replace(entry, entry.freed(Entries.version()));
    }

    private Entry replace(Entry before, Entry next) {
        assertThat(store.apply(List.of(Change.replace(before.version(), next)))).containsExactly(Outcome.APPLIED);
        return next;
    }

    private void assertWoken() throws InterruptedException {
        assertThat(wakes.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("woken")
                .isTrue();
    }

    /** The thread of a watch is real. */
    private static void await(String what, BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNanos).as(what).isLessThan(PATIENCE.toNanos());
            LockSupport.parkNanos(1_000_000);
        }
    }
}
