package dev.holdfast.fleet;

import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The reason why a unit has no worker.
 *
 * @param cause the first cause that applies, in the order of {@link Cause}
 * @param missing the required labels that no worker has; empty for other causes
 */
public record UnplacedReason(Cause cause, LabelConditions missing) {
    /** The causes, strongest first. */
    public enum Cause {
        /** Waits for other units, which are not done. */
        WAITING,
        /** No worker is joined, or all are leaving. */
        NO_WORKER,
        /** No worker has the required labels. */
        LABELS,
        /** Every worker that may have the unit has as many units as it takes. */
        NO_ROOM,
        /** Failed, and rests for a while before it is tried again. */
        RESTING,
        /** The strategy chose no worker, or the planner is about to assign the unit. */
        NOT_ASSIGNED
    }

    public static UnplacedReason of(Cause cause) {
        return new UnplacedReason(cause, LabelConditions.NONE);
    }

    /**
     * Returns why a unit has no worker in a plan.
     *
     * @param counts the number of units of each worker in the plan
     */
    public static UnplacedReason in(FleetSituation situation, int[] counts, int unit) {
        int[] present = IntStream.range(0, situation.workers())
                .filter(worker -> situation.capacity(worker) > 0)
                .toArray();
        if (present.length == 0) {
            return of(Cause.NO_WORKER);
        }
        LabelConditions required = situation.requires(unit);
        int[] suitable = IntStream.of(present)
                .filter(worker -> required.areMetBy(situation.labels(worker)))
                .toArray();
        if (suitable.length == 0) {
            return new UnplacedReason(Cause.LABELS, missing(situation, present, required));
        }
        int[] withRoom = IntStream.of(suitable)
                .filter(worker -> counts[worker] < situation.capacity(worker))
                .toArray();
        if (withRoom.length == 0) {
            return of(Cause.NO_ROOM);
        }
        boolean rests = IntStream.of(withRoom).noneMatch(worker -> situation.mayHave(worker, unit));
        return of(rests ? Cause.RESTING : Cause.NOT_ASSIGNED);
    }

    /** Returns the conditions that no worker meets. If each is met by some worker, but no worker meets all, returns all. */
    private static LabelConditions missing(FleetSituation situation, int[] present, LabelConditions required) {
        Predicate<String> isMet = label -> {
            LabelConditions condition = required.on(label::equals);
            return IntStream.of(present).anyMatch(worker -> condition.areMetBy(situation.labels(worker)));
        };
        LabelConditions unmet = required.on(isMet.negate());
        return unmet.isEmpty() ? required : unmet;
    }

    /** Returns the reason as the end of a sentence about units, such as {@code require zone=c, which no worker has}. */
    public String text() {
        return switch (cause) {
            case WAITING -> "wait for other units";
            case NO_WORKER -> "no worker is joined that takes units";
            case LABELS ->
                missing.isEmpty()
                        ? "require labels that no worker has"
                        : "require " + missing + ", which no worker has";
            case NO_ROOM -> "no worker that may have them has room";
            case RESTING -> "failed and rest for a while";
            case NOT_ASSIGNED -> "not assigned yet";
        };
    }
}
