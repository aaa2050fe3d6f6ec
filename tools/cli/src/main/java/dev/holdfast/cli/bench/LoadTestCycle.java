package dev.holdfast.cli.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import java.util.concurrent.CompletionStage;

/** Request cycle that each caller of a load test repeats. */
enum LoadTestCycle {
    /** Acquire a new key, mark it done. */
    ONCE {
        @Override
        CompletionStage<?> cycle(AsyncLeases leases, String namespace, int caller, long round) {
            Key key = Key.of(namespace, caller + "-" + round);
            return leases.tryAcquire(key, OPTIONS)
                    .thenCompose(result -> result.orThrow().doneAsync(AttributePatch.NONE));
        }
    },
    /** Acquire the caller's own key, release it. */
    LOCK {
        @Override
        CompletionStage<?> cycle(AsyncLeases leases, String namespace, int caller, long round) {
            Key key = Key.of(namespace, String.valueOf(caller));
            return leases.tryAcquire(key, OPTIONS)
                    .thenCompose(result -> result.orThrow().releaseAsync());
        }
    };

    private static final AcquireOptions OPTIONS = AcquireOptions.defaults();

    abstract CompletionStage<?> cycle(AsyncLeases leases, String namespace, int caller, long round);
}
