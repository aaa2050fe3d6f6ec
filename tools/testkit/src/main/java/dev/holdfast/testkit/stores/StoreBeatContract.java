package dev.holdfast.testkit.stores;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the age of a beat: which writes restart it, and which must not. */
interface StoreBeatContract extends StoreSteps {
    Duration TWO = PAUSE.multipliedBy(2);

    Duration LONG = Duration.ofMinutes(1);

    @Test
    default void theAgeOfABeatGrows() {
        put(held("a"));
        assertAge(read(Key.of("a")).orElseThrow(), Duration.ZERO, PAUSE);

        elapse(PAUSE);
        assertAge(read(Key.of("a")).orElseThrow(), PAUSE, TWO);

        elapse(PAUSE);
        assertAge(read(Key.of("a")).orElseThrow(), TWO, LONG);
    }

    @Test
    default void aConflictReportsTheAgeOfTheBeat() {
        var entry = put(held("a"));
        elapse(PAUSE);

        assertAge(assertConflict(apply(Change.insert(held("a"))), entry), PAUSE, LONG);
    }

    @Test
    default void aScanReportsTheAgeOfTheBeat() {
        put(held("a"));
        elapse(PAUSE);

        assertAge(store().scan(EntryScan.of("", 10)).entries().get(0), PAUSE, LONG);
    }

    @Test
    default void aConflictingWriteDoesNotResetTheAge() {
        var entry = put(held("a"));
        elapse(PAUSE);

        assertConflict(apply(Change.replace(version(), renewed(entry))), entry);

        assertAge(read(entry.key()).orElseThrow(), PAUSE, LONG);
    }

    @Test
    default void writesThatKeepTheBeatKeepItsAge() {
        var first = put(held("a"));
        elapse(PAUSE);

        var busy = has(StoreFeature.ATTRIBUTES) ? Attributes.of("status", "busy") : Attributes.NONE;
        var updated = replace(first, first.withAttributes(version(), busy));
        assertAge(read(first.key()).orElseThrow(), PAUSE, LONG);

        var freed = replace(updated, updated.freed(version()));
        if (store().traits().dialect().expires()) {
            return; // In such a layout a release ends the lease and does not keep its beat.
        }
        assertAge(read(first.key()).orElseThrow(), PAUSE, LONG);

        replace(freed, freed.withVersion(version()));
        assertAge(read(first.key()).orElseThrow(), PAUSE, LONG);
    }

    @Test
    default void finishingALeaseKeepsTheAgeOfItsBeat() {
        needs(StoreFeature.DONE);
        var entry = put(held("a"));
        elapse(PAUSE);

        replace(entry, entry.done(version(), TIME, Attributes.NONE));

        assertAge(read(entry.key()).orElseThrow(), PAUSE, LONG);
    }

    @Test
    default void aNewBeatRestartsTheAge() {
        var entry = put(held("a"));
        elapse(PAUSE);

        replace(entry, renewed(entry));

        assertAge(read(entry.key()).orElseThrow(), Duration.ZERO, PAUSE);
    }

    @Test
    default void aBeatWrittenAfterARemovalRestartsTheAge() {
        var entry = put(held("a"));
        elapse(PAUSE);
        remove(entry);

        put(withFence(held("a"), 2000));

        assertAge(read(entry.key()).orElseThrow(), Duration.ZERO, PAUSE);
    }
}
