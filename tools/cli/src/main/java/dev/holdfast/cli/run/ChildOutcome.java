package dev.holdfast.cli.run;

import dev.holdfast.LostReason;

/** How a command under a lease ended. */
sealed interface ChildOutcome {
    /**
     * The command exited by itself.
     *
     * @param code the exit code; 128 plus the number of the signal, if a signal ended the command
     * @param stopSignal the number of the stop signal that holdfast received meanwhile; 0 without a signal
     */
    record Exited(int code, int stopSignal) implements ChildOutcome {}

    /**
     * The command was terminated because the lease was lost.
     *
     * @param signalled whether holdfast received a stop signal meanwhile
     */
    record Lost(LostReason reason, boolean signalled) implements ChildOutcome {}
}
