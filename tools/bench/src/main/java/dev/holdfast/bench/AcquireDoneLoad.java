package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Callers that acquire a new key and mark it as done, which is two writes, again and again. */
record AcquireDoneLoad(int callers, int warmUpSeconds, int seconds, AcquireOptions options) {
    /** The keys of a run; none is used twice. */
    interface FreshKeys {
        Key key(int caller, long number);
    }

    /** The pairs per second of callers that each have a thread. */
    double onThreads(Leases leases, FreshKeys keys) throws InterruptedException, ExecutionException {
        return CallerRace.roundsPerSecond(
                callers,
                warmUpSeconds,
                seconds,
                caller -> number -> leases.tryAcquire(keys.key(caller, number), options)
                        .orThrow()
                        .done());
    }

    /** The pairs per second of asynchronous callers. */
    double asynchronous(Leases leases, FreshKeys keys) throws InterruptedException, ExecutionException {
        return CallerRace.asyncRoundsPerSecond(
                callers, warmUpSeconds, seconds, caller -> number -> pair(leases, keys.key(caller, number)));
    }

    CompletionStage<Void> pair(Leases leases, Key key) {
        return leases.async()
                .tryAcquire(key, options)
                .thenCompose(result -> result.orThrow().doneAsync(AttributePatch.NONE));
    }
}
