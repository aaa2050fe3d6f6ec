package dev.holdfast.fleet.internal.callback;

import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.support.Futures;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The record of calls of the user's code in progress, which detects calls that take too long. Any thread may query it,
 * so that a worker whose own steps are blocked can still report it. There is at most one call for each unit of the
 * worker.
 */
public final class CallbackWatch {
    private final HostEnvironment hostEnvironment;
    private final Set<Watched> calls = ConcurrentHashMap.newKeySet();

    public CallbackWatch(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    private static final class Watched {
        private final String callName;
        private final Duration limit;
        private volatile long sinceNanos;
        private volatile boolean begun;

        private Watched(String callName, Duration limit, long nowNanos) {
            this.callName = callName;
            this.limit = limit;
            this.sinceNanos = nowNanos;
        }

        private Duration age(long nowNanos) {
            return Duration.ofNanos(nowNanos - sinceNanos);
        }

        private boolean isStuck(long nowNanos) {
            return age(nowNanos).compareTo(limit) > 0;
        }

        private String describe(long nowNanos) {
            String time = age(nowNanos).toMillis() + " ms";
            return callName + (begun ? " has run for " + time : " has waited " + time + " for a thread")
                    + " (expected: <= " + limit.toMillis() + " ms)";
        }
    }

    /** @param limit how long the call may wait for a thread, and then how long it may run */
    public void watch(String callName, UserCall call, Duration limit) {
        Watched watched = new Watched(callName, limit, hostEnvironment.nanos());
        calls.add(watched);
        Futures.whenDone(call.begun(), (yes, error) -> {
            watched.sinceNanos = hostEnvironment.nanos();
            watched.begun = true;
        });
        Futures.whenDone(call.over(), (yes, error) -> calls.remove(watched));
    }

    public FleetHealth health() {
        long now = hostEnvironment.nanos();
        List<Watched> stuck = calls.stream()
                .filter(call -> call.isStuck(now))
                .sorted(Comparator.comparing((Watched call) -> call.age(now)).reversed())
                .toList();
        if (stuck.isEmpty()) {
            return FleetHealth.GOOD;
        }
        String others = stuck.size() == 1 ? "" : "; and " + (stuck.size() - 1) + " more";
        return FleetHealth.bad(stuck.get(0).describe(now) + others);
    }
}
