package dev.holdfast.dynamodb.foreign;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.ServiceClock;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets the clock of this machine count only while it is known to be near the service's: within half of what two clocks
 * may differ by. Others who use the table are trusted to keep theirs as near.
 */
public final class ForeignClockGuard {
    private final ServiceClock clock;
    private final Optional<Duration> skew;

    /** @param skew empty where no clock matters */
    public ForeignClockGuard(ServiceClock clock, Optional<Duration> skew) {
        this.clock = clock;
        this.skew = skew;
    }

    /** Whether the service must be asked for something before our clock may count. */
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
                    "DynamoDB: its answers do not tell, or not soon enough, whether the clock of this machine is right",
                    null);
        }
    }
}
