package dev.holdfast.testkit.stores;

import static dev.holdfast.testkit.stores.SampleEntries.held;
import static dev.holdfast.testkit.stores.SampleEntries.renewed;
import static dev.holdfast.testkit.stores.SampleEntries.version;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the age of a beat: which writes restart it, and which must not. */
abstract class StoreBeatContract extends StoreWriteContract {
    private static final Duration TWO = PAUSE.multipliedBy(2);

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void theAgeOfABeatGrows() {
        put(held("a"));
        assertAge(read(Key.of("a")).orElseThrow(), Duration.ZERO, PAUSE);

        elapse(PAUSE);
        assertAge(read(Key.of("a")).orElseThrow(), PAUSE, TWO);

        elapse(PAUSE);
        assertAge(read(Key.of("a")).orElseThrow(), TWO, LONG);
    }

    @Test
    void aConflictReportsTheAgeOfTheBeat() {
        Entry entry = put(held("a"));
        elapse(PAUSE);

        assertAge(assertConflict(apply(Change.insert(held("a"))), entry), PAUSE, LONG);
    }

    @Test
    void aScanReportsTheAgeOfTheBeat() {
        put(held("a"));
        elapse(PAUSE);

        assertAge(store.scan(EntryScan.of("", 10)).entries().get(0), PAUSE, LONG);
    }

    @Test
    void aConflictingWriteDoesNotResetTheAge() {
        Entry entry = put(held("a"));
        elapse(PAUSE);

        assertConflict(apply(Change.replace(version(), renewed(entry))), entry);

        assertAge(read(entry.key()).orElseThrow(), PAUSE, LONG);
    }

    @Test
    void writesThatKeepTheBeatKeepItsAge() {
        Entry first = put(held("a"));
        elapse(PAUSE);

        Attributes busy = has(StoreFeature.ATTRIBUTES) ? Attributes.of("status", "busy") : Attributes.NONE;
        Entry updated = replace(first, first.withAttributes(version(), busy));
        assertAge(read(first.key()).orElseThrow(), PAUSE, LONG);

        Entry freed = replace(updated, updated.freed(version()));
        if (store.traits().dialect().expires()) {
            return; // In such a layout a release ends the lease and does not keep its beat.
        }
        assertAge(read(first.key()).orElseThrow(), PAUSE, LONG);

        replace(freed, freed.withVersion(version()));
        assertAge(read(first.key()).orElseThrow(), PAUSE, LONG);
    }

    @Test
    void finishingALeaseKeepsTheAgeOfItsBeat() {
        needs(StoreFeature.DONE);
        Entry entry = put(held("a"));
        elapse(PAUSE);

        replace(entry, entry.done(version(), SampleEntries.TIME, Attributes.NONE));

        assertAge(read(entry.key()).orElseThrow(), PAUSE, LONG);
    }

    @Test
    void aNewBeatRestartsTheAge() {
        Entry entry = put(held("a"));
        elapse(PAUSE);

        replace(entry, renewed(entry));

        assertAge(read(entry.key()).orElseThrow(), Duration.ZERO, PAUSE);
    }

    @Test
    void aBeatWrittenAfterARemovalRestartsTheAge() {
        Entry entry = put(held("a"));
        elapse(PAUSE);
        assertApplied(apply(Change.remove(entry.key(), entry.version())));

        put(SampleEntries.withFence(held("a"), 2000));

        assertAge(read(entry.key()).orElseThrow(), Duration.ZERO, PAUSE);
    }
}
