package dev.holdfast.sim.world;

/** Chooses a fault for each call to the store, in the order of the calls. A run with the same choices is the same run. */
@FunctionalInterface
public interface FaultPlan {
    /** No faults. */
    FaultPlan NONE = caller -> CallFault.NONE;

    CallFault next(SimProcess caller);

    /** What happens to one call. */
    enum CallFault {
        NONE,
        /** The request is lost. */
        REQUEST_LOST,
        /** The request is carried out, and its answer is lost. */
        ANSWER_LOST,
        /** The request arrives after its caller has stopped waiting for it. */
        REQUEST_LATE,
        /** The request arrives after every term is over. */
        REQUEST_VERY_LATE,
        /** The request arrives twice, the second time after every term is over. */
        TWICE,
        /** The request is carried out. The caller is cut off for so long that it gives up. */
        CUT_OFF,
        /** The caller crashes when it has sent the request, and starts again. */
        CRASH,
        /** The caller is paused for longer than its term, before the request leaves it. */
        PAUSE_BEFORE,
        /** The caller is paused for longer than its term, after the request has left it. */
        PAUSE_AFTER
    }
}
