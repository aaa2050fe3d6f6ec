package dev.holdfast.rules;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Fence;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import dev.holdfast.store.KeptEntries;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rules that make fences grow for ever without a central counter, and that say when an entry may be removed without
 * breaking that.
 *
 * <p>A fence is the last one plus one, or the time in microseconds if that is more. The entry keeps the last fence as
 * long as it exists. Once it is removed only the time is left. So an entry may be removed only when its fence is far in
 * the past: then any clock gives a larger one. The exception is a granting clock that is behind and a clock of the
 * clean-up that was ahead, by more than {@link CleanUpOptions#IDLE_MIN} together.
 */
public class FenceRules {
    static FenceRules of(StoreDialect storeDialect) {
        if (storeDialect.lacks(StoreFeature.FENCE)) {
            return new NoFences();
        }
        return storeDialect.countsBeats()
                ? new CountedFences(!storeDialect.lacks(StoreFeature.FENCE_OF_DELETED))
                : new FenceRules();
    }

    /** The fence of the next grant after {@code last}. */
    protected Fence next(Fence last, WriteStamp writeStamp) {
        long highest = Math.max(last.value(), writeStamp.floor().value());
        if (highest == Long.MAX_VALUE) {
            throw ArgumentCheck.bad("fence", highest, "one that can still grow");
        }
        return Fence.of(Math.max(highest + 1, micros(writeStamp.now())));
    }

    /**
     * Whether clean-up may remove {@code entry}, which is not held; if it is stored as held, it has expired.
     *
     * @param idleFor the least time for which it has not been held
     * @param keepDone how long a done entry is kept after it was done; null: for ever
     */
    public final boolean isRemovable(Entry entry, Duration idleFor, Instant now, @Nullable Duration keepDone) {
        Instant doneAt = entry.doneAt();
        boolean old =
                doneAt == null ? isIdle(entry, idleFor, now) : keepDone != null && !now.isBefore(doneAt.plus(keepDone));
        return old && isPast(entry.fence(), now) && !KeptEntries.isKept(entry);
    }

    private static boolean isIdle(Entry entry, Duration idleFor, Instant now) {
        boolean old = !now.isBefore(entry.createdAt().plus(CleanUpOptions.IDLE_MIN));
        return old && (entry.grant() == null || idleFor.compareTo(CleanUpOptions.IDLE_MIN) >= 0);
    }

    /** The fence of an entry after a renewal. The fence of the holder's lease stays the same in any case. */
    protected Fence renewed(Fence last) {
        return last;
    }

    /** Whether a deleted key keeps its fence. If not, its entry is removed. */
    protected boolean outliveDeletion() {
        return true;
    }

    protected boolean isPast(Fence fence, Instant now) {
        return fence.value() <= micros(now.minus(CleanUpOptions.IDLE_MIN));
    }

    static long micros(Instant time) {
        return Math.max(0, ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    /** Fences that count grants and renewals, as the other tool that writes the same entry does. */
    private static final class CountedFences extends FenceRules {
        private final boolean outliveDeletion;

        CountedFences(boolean outliveDeletion) {
            this.outliveDeletion = outliveDeletion;
        }

        @Override
        protected boolean outliveDeletion() {
            return outliveDeletion;
        }

        @Override
        protected Fence next(Fence last, WriteStamp writeStamp) {
            return Fence.of(Math.addExact(last.value(), 1));
        }

        @Override
        protected Fence renewed(Fence last) {
            return Fence.of(Math.addExact(last.value(), 1));
        }
    }

    /** No fences, for stores that cannot keep them. */
    private static final class NoFences extends FenceRules {
        @Override
        protected Fence next(Fence last, WriteStamp writeStamp) {
            return Fence.NONE;
        }

        @Override
        protected boolean outliveDeletion() {
            return false;
        }
    }
}
