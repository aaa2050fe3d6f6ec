package dev.holdfast.chaos.resource;

/** The outcome of one change of the protected resource. */
public sealed interface ResourceOutcome {
    /** The change is committed: the value that the client had read, and the value that it wrote. */
    record Written(long before, long after) implements ResourceOutcome {}

    /** The guard has seen a larger fence. */
    record Rejected() implements ResourceOutcome {}

    /** Nothing was changed. */
    record NotWritten(String reason) implements ResourceOutcome {}

    /** The commit failed, so the change may have been made. */
    record Doubtful(String reason) implements ResourceOutcome {}
}
