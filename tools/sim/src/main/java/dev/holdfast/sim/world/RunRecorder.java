package dev.holdfast.sim.world;

import org.jspecify.annotations.Nullable;

/**
 * An observer of the processes, the network and the store of a run. It must not change the run: it draws no random
 * number and plans no event. {@link #NONE} observes nothing.
 */
public interface RunRecorder {
    RunRecorder NONE = new RunRecorder() {};

    /** A machine is in the world from now on. The first one is the store. */
    default void processAdded(SimProcess process) {}

    default void started(SimProcess process) {}

    default void crashed(SimProcess process) {}

    default void paused(SimProcess process, long untilNanos) {}

    /** The machine sleeps and its ticker stands still. The pause is also reported by itself. */
    default void fellAsleep(SimProcess process, long untilNanos) {}

    default void cutOff(SimProcess process, long untilNanos) {}

    /** All pauses and interruptions of a process ended. */
    default void healed(SimProcess process) {}

    default void clockJumped(SimMachineClock clock, long byNanos) {}

    default void storeDown(boolean isDown) {}

    /** A process makes a call to the store. Returns a number for the call. */
    default long called(SimProcess caller, StoreRequest request) {
        return 0;
    }

    /** A process stopped waiting for the answer to a call. */
    default void timedOut(long call) {}

    /** A request, or a second copy of it, leaves its process. Returns a number for the message. */
    default long requestSent(long call) {
        return 0;
    }

    default void requestLost(long message) {}

    default void requestArrived(long message) {}

    /** @param answer the result, or the exception that the caller will receive */
    default void answerSent(long message, @Nullable Object answer) {}

    default void answerLost(long message) {}

    default void answerDelivered(long message) {}
}
