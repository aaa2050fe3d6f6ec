package dev.holdfast.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Callers that each acquire and end free locks of their own, one after another: loads 1 and 5. */
final class PairsTurn {
    /** The locks that a caller takes in turn. */
    private static final int LOCKS = 16;

    private final LockContender contender;
    private final OverlapWitness witness;
    private final boolean once;
    private final String prefix;

    /** @param once whether every lock is new, and marked as done instead of released */
    PairsTurn(LockContender contender, OverlapWitness witness, boolean once, String prefix) {
        this.contender = contender;
        this.witness = witness;
        this.once = once;
        this.prefix = prefix;
    }

    CallerLoad onThreads(int callers, long millis) throws Exception {
        return new CallerLoad(millis).onThreads(callers, (caller, number, tally) -> {
            long began = System.nanoTime();
            HeldLock lock = granted(contender.tryAcquire(name(caller, number)), caller, number);
            touch(caller, number);
            if (once) {
                lock.done();
            } else {
                lock.release();
            }
            tally.addRound(System.nanoTime() - began);
        });
    }

    CallerLoad asynchronously(int callers, long millis) throws Exception {
        AsyncContender async = contender.async().orElseThrow();
        CallerLoad load = new CallerLoad(millis);
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            ChainedCaller caller = new ChainedCaller(async, i, load);
            caller.next();
            ends.add(caller.end);
        }
        for (CompletableFuture<Void> end : ends) {
            end.get();
        }
        return load;
    }

    private String name(int caller, long number) {
        return prefix + "-" + caller + "-" + (once ? number : number % LOCKS);
    }

    private static HeldLock granted(Optional<HeldLock> lock, int caller, long number) {
        return lock.orElseThrow(
                () -> new IllegalStateException("lock " + number + " of caller " + caller + " is held"));
    }

    private void touch(int caller, long number) {
        int slot = caller * LOCKS + (int) (number % LOCKS);
        witness.enter(slot, caller);
        witness.leave(slot, caller);
    }

    /** A caller whose next round starts when the previous one completes, on the thread that completed it. */
    private final class ChainedCaller {
        final CompletableFuture<Void> end = new CompletableFuture<>();
        private final AsyncContender async;
        private final int caller;
        private final CallerLoad load;
        private final CallerTally tally;
        private long number;

        ChainedCaller(AsyncContender async, int caller, CallerLoad load) {
            this.async = async;
            this.caller = caller;
            this.load = load;
            this.tally = load.newTally();
        }

        void next() {
            long began = System.nanoTime();
            long current = number++;
            async.tryAcquire(name(caller, current))
                    .<@Nullable Object>thenCompose(found -> {
                        HeldLock lock = granted(found, caller, current);
                        touch(caller, current);
                        return ended(lock);
                    })
                    .whenComplete((ended, error) -> {
                        if (error != null) {
                            end.completeExceptionally(error);
                            return;
                        }
                        tally.addRound(System.nanoTime() - began);
                        if (load.isOver()) {
                            end.complete(null);
                        } else {
                            next();
                        }
                    });
        }

        private CompletionStage<@Nullable Object> ended(HeldLock lock) {
            return (once ? lock.doneAsync() : lock.releaseAsync()).thenApply(result -> null);
        }
    }
}
