package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.sqlite.clock.ManualBootClock;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Effects of boots and odd clocks on the age of a beat. */
class BeatAgeTest {
    private static final Key KEY = Key.of("a");

    private final ManualBootClock clock = new ManualBootClock();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private SqliteStore store;

    @BeforeEach
    void open() {
        store = Stores.open(folder.resolve("leases.db"), clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void withinOneBootABeatGrowsOld() {
        put();
        clock.advance(Duration.ofSeconds(7));

        assertThat(age()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void anotherProcessSeesTheSameAge() {
        put();
        clock.advance(Duration.ofSeconds(7));

        try (SqliteStore other = Stores.open(folder.resolve("leases.db"), clock)) {
            assertThat(other.read(List.of(KEY)).get(0).orElseThrow().age()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Test
    void afterARebootTheAgeIsUnknown() {
        put();

        clock.boot("second boot", Duration.ofHours(2));

        assertThat(age()).isNull();
        assertThat(store.scan(EntryScan.of("", 1)).entries().get(0).age()).isNull();
    }

    @Test
    void aRenewalAfterARebootIsStampedAgain() {
        Entry entry = put();
        clock.boot("second boot", Duration.ofSeconds(10));

        Entry freed = replace(entry, entry.freed(Entries.version()));
        assertThat(age()).isNull();

        replace(freed, Entries.renewed(freed));
        clock.advance(Duration.ofSeconds(1));
        assertThat(age()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aClockThatGoesBackMakesABeatYoungAndNeverNegative() {
        put();

        clock.advance(Duration.ofMinutes(-10));

        assertThat(age()).isEqualTo(Duration.ZERO);
    }

    @Test
    void withoutAClockTheAgeIsUnknown() {
        put();
        clock.fail();
        assertThat(age()).isNull();

        Entry unstamped = Entries.held("b");
        assertThat(store.apply(List.of(Change.insert(unstamped)))).containsExactly(WriteOutcome.APPLIED);
        clock.boot("first boot", Duration.ofHours(1));

        StoredEntry found = store.read(List.of(unstamped.key())).get(0).orElseThrow();
        assertThat(found).isEqualTo(new StoredEntry(unstamped, null));
    }

    private Entry put() {
        Entry entry = Entries.held(KEY);
        assertThat(store.apply(List.of(Change.insert(entry)))).containsExactly(WriteOutcome.APPLIED);
        return entry;
    }

    private Entry replace(Entry before, Entry next) {
        assertThat(store.apply(List.of(Change.replace(before.version(), next)))).containsExactly(WriteOutcome.APPLIED);
        return next;
    }

    private @Nullable Duration age() {
        return store.read(List.of(KEY)).get(0).orElseThrow().age();
    }
}
