package dev.holdfast.dynamodb.foreign;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.ServiceClock;
import java.time.Duration;
import java.util.Optional;

/**
 * Guard that trusts the clock of this machine only while it is known to be near the service's clock: within half of the
 * skew between two clocks. Other users of the table are trusted to keep their clocks as near.
 */
public final class ForeignClockGuard {
    private final ServiceClock clock;
    private final Optional<Duration> skew;

    /** @param skew empty if no clock matters */
    public ForeignClockGuard(ServiceClock clock, Optional<Duration> skew) {
        this.clock = clock;
        this.skew = skew;
    }

    /** Returns whether a response of the service is needed before our clock can be trusted. */
    boolean isInDoubt() {
        return skew.isPresent() && clock.difference().isEmpty();
    }

    /** @throws StoreException if our clock is off */
    public void requireRight() {
        skew.ifPresent(this::requireWithin);
    }

    private void requireWithin(Duration bound) {
        Duration half = bound.dividedBy(2);
        Optional<ServiceClock.Difference> difference = clock.difference();
        if (difference.isPresent() && difference.get().isBeyond(half)) {
            throw StoreException.rejected(
                    "DynamoDB: the clock of this machine is " + difference.get() + " of DynamoDB's (expected, for skew="
                            + bound.toMillis() + "ms: within " + half.toMillis()
                            + " ms of it); set the clock, or allow more skew",
                    null);
        }
        if (difference.isEmpty() || !difference.get().isWithin(half)) {
            throw StoreException.notApplied(
                    "DynamoDB: its responses do not show, or not soon enough, whether the clock of this machine is right",
                    null);
        }
    }
}
