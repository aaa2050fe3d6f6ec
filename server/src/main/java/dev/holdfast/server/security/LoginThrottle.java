package dev.holdfast.server.security;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The limit on failed log-ins per address. The first few are free. After each further one, the address is refused for a while,
 * which doubles up to a limit. Secrets cannot be guessed anyway; this keeps the log and the processor free. Thread-safe.
 */
final class LoginThrottle {
    private static final int FREE_FAILURES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    /** Short: all users behind one proxy have the same address. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** After this time without a failure, an address starts anew. */
    private static final Duration FORGET = Duration.ofMinutes(10);

    /** The addresses that are remembered: about a megabyte. */
    private static final int MOST_ADDRESSES = 10_000;

    private final LongSupplier nanos;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    private record Failures(int count, long lastNanos) {}

    LoginThrottle(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** How long the address is still refused; zero if it may try. */
    synchronized Duration pause(String address) {
        Failures failures = byAddress.get(address);
        if (failures == null || failures.count < FREE_FAILURES) {
            return Duration.ZERO;
        }
        int doublings = Math.min(failures.count - FREE_FAILURES, 10);
        long pauseNanos = Math.min(FIRST_PAUSE.toNanos() << doublings, LONGEST_PAUSE.toNanos());
        return Duration.ofNanos(Math.max(0, failures.lastNanos + pauseNanos - nanos.getAsLong()));
    }

    synchronized void failed(String address) {
        long now = nanos.getAsLong();
        Failures before = byAddress.get(address);
        boolean isRecent = before != null && now - before.lastNanos < FORGET.toNanos();
        byAddress.put(address, new Failures(isRecent && before != null ? before.count + 1 : 1, now));
    }

    synchronized void succeeded(String address) {
        byAddress.remove(address);
    }
}
