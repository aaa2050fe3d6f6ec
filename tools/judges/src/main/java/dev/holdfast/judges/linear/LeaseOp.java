package dev.holdfast.judges.linear;

import dev.holdfast.judges.HistoryCall;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call as the search sees it.
 *
 * @param start the earliest time of its effect
 * @param end the latest time of its effect
 * @param optional whether it may have had no effect at all
 * @param prelude whether it is an earlier, unacknowledged effect of its call, which must precede the answered one
 * @param likeness equal for optional steps that differ in nothing but their start; null if no other is like this one
 */
record LeaseOp(
        HistoryCall call,
        LeaseEffect effect,
        long start,
        long end,
        boolean optional,
        boolean prelude,
        @Nullable String likeness) {
    private static final Set<String> OBSERVATIONS =
            Set.of("held", "done", "lost", "refused", "state", "absent", "listed", "true");

    /** The answered effect of {@code call}. */
    static LeaseOp certain(HistoryCall call, LeaseEffect effect) {
        return new LeaseOp(call, effect, call.start(), call.end(), false, false, null);
    }

    /** An effect that may happen at any time after the start of {@code call}, or never. */
    static LeaseOp perhaps(HistoryCall call, LeaseEffect effect) {
        return new LeaseOp(call, effect, call.start(), Long.MAX_VALUE, true, false, null);
    }

    /** The same, if calls of this {@code likeness} are interchangeable. */
    static LeaseOp perhaps(HistoryCall call, LeaseEffect effect, String likeness) {
        return new LeaseOp(call, effect, call.start(), Long.MAX_VALUE, true, false, likeness);
    }

    /** An effect that may happen before the answered one. */
    static LeaseOp earlier(HistoryCall call, LeaseEffect effect) {
        return new LeaseOp(call, effect, call.start(), call.latestEffect(), true, true, null);
    }

    /** Whether it only shows the state of its key, and changes nothing. */
    boolean isObservation() {
        return !prelude && !optional && OBSERVATIONS.contains(call.out());
    }

    /** The states after it, if it follows {@code before}; none if it cannot. */
    List<ModelState> from(ModelState before) {
        ModelState begun = before.at(start);
        Stream<ModelState> after = effect.from(begun).stream();
        if (before.entry().mayVanish()) {
            ModelState vanished = begun.ended(begun.entry().withStatus(LeaseEntry.Status.FREE));
            after = Stream.concat(after, effect.from(vanished).stream());
        }
        return after.filter(state -> state.now() <= end).toList();
    }

    /** The same, for a call that may have had no effect. */
    LeaseOp weakened() {
        return new LeaseOp(call, effect, start, end, true, prelude, null);
    }
}
