package dev.holdfast.dynamodb.layouts;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.table.ServiceClock;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.Optional;

/**
 * Guard that trusts the clock of this machine only while it is known to be near the service's clock: within half of the
 * skew between two clocks. Other users of the table are trusted to keep their clocks as near.
 */
final class ForeignClockGuard {
    /** A smaller skew cannot be verified by the service's responses, which contain whole seconds. */
    private static final Duration LEAST_SKEW = Duration.ofSeconds(3);

    private final ServiceClock clock;
    private final Optional<Duration> skew;

    /** Returns how far clocks may differ. */
    static Duration skew(UrlParameters url) {
        return url.duration("skew", Duration.ofSeconds(5), LEAST_SKEW);
    }

    /** @param skew empty if no clock matters */
    ForeignClockGuard(ServiceClock clock, Optional<Duration> skew) {
        this.clock = clock;
        this.skew = skew;
    }

    /** Returns whether a response of the service is needed before our clock can be trusted. */
    boolean isInDoubt() {
        return skew.isPresent() && clock.difference().isEmpty();
    }

    /** @throws StoreException if our clock is off */
    void requireRight() {
        skew.ifPresent(this::requireWithin);
    }

    private void requireWithin(Duration bound) {
        Duration half = bound.dividedBy(2);
        if (clock.isBeyond(half)) {
            throw StoreException.rejected(
                    "DynamoDB: the clock of this machine is "
                            + clock.difference().map(Object::toString).orElse("far")
                            + " of DynamoDB's (expected, for skew=" + bound.toMillis() + "ms: within "
                            + half.toMillis() + " ms of it); set the clock, or allow more skew",
                    null);
        }
        if (!clock.isWithin(half)) {
            throw StoreException.notApplied(
                    "DynamoDB: its responses do not show, or not soon enough, whether the clock of this machine is right",
                    null);
        }
    }
}
