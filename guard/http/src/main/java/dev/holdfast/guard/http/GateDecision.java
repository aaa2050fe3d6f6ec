package dev.holdfast.guard.http;

import dev.holdfast.Fence;
import dev.holdfast.Key;

/** The decision of a {@link FenceGate} on a request. */
public sealed interface GateDecision {
    /**
     * The request may go on. The handler finds this among the attributes of its request, and checks the fence again in its own
     * transaction: {@code guard.check(connection, passed.key(), passed.fence())}.
     */
    record Passed(Key key, Fence fence) implements GateDecision {}

    /**
     * The request must not go on.
     *
     * @param message the body of the response, one line of plain text
     */
    record Refused(GateRefusal reason, String message) implements GateDecision {}
}
