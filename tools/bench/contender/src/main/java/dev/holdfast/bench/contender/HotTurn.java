package dev.holdfast.bench.contender;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Callers of several processes that wait for one lock, hold it for a moment, and release it: load 2. */
record HotTurn(LockContender contender, OverlapWitness witness, Duration hold) {
    private static final Duration WAIT = Duration.ofSeconds(30);

    TurnMessage run(String name, int callers, long millis) throws Exception {
        long holdNanos = hold.toNanos();
        CallerLoad load = new CallerLoad(millis).onThreads(callers, (caller, number, tally) -> {
            long began = System.nanoTime();
            Optional<HeldLock> lock = contender.acquire(name, WAIT);
            if (lock.isPresent()) {
                long granted = System.nanoTime();
                witness.enter(OverlapWitness.SLOTS - 1, caller);
                while (System.nanoTime() - granted < holdNanos) {
                    LockSupport.parkNanos(holdNanos - (System.nanoTime() - granted));
                }
                witness.leave(OverlapWitness.SLOTS - 1, caller);
                lock.get().release();
                tally.addRound(granted - began);
            }
        });
        String rounds = load.tallies().stream()
                .map(tally -> String.valueOf(tally.rounds()))
                .collect(Collectors.joining(","));
        return TurnMessage.of("ok").with("rounds", rounds).with("waits", load.durations());
    }
}
