package dev.holdfast.fleet;

/** The reason why the planner has no worker for a unit, or no other worker for a unit of a draining one. */
public enum UnplacedReason {
    /** No worker is joined, or all are leaving. */
    NO_WORKER("no worker is joined"),
    /** All workers that are joined are draining. A draining worker keeps such a unit until another can take it. */
    ALL_DRAINING("all workers are draining"),
    /** No worker has the labels that the unit requires. */
    LABELS("no worker has the required labels"),
    /** The unit has failed on every worker that could have it, and is in its back-off. */
    RESTING("it failed, and is retried after a back-off"),
    /** All workers that may have the unit are full. */
    NO_ROOM("no worker has room"),
    /** A worker could have the unit, and the strategy chose none. */
    NOT_CHOSEN("the strategy chose no worker");

    private final String text;

    UnplacedReason(String text) {
        this.text = text;
    }

    /** Returns the reason in words. */
    public String text() {
        return text;
    }
}
