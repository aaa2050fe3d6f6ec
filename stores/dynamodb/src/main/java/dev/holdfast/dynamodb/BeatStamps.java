package dev.holdfast.dynamodb;

import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The times that are written beside beats, and what may be made of them.
 *
 * <p>A clock counts only while it is known to be within half of the skew bound of the service's. Whoever knows that of
 * its own clock stamps its beats, in either mode; so two stamps that count differ by less than the bound from one clock.
 * A stamp with a wider bound than ours tells nothing. An anchor keeps many leases alive, so it is never judged by one.
 *
 * <p>A stamp is a text of three: the milliseconds of the clock, those of the bound that it was known to keep, and the beat
 * that it is of.
 */
final class BeatStamps {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private final HostEnvironment hostEnvironment;
    private final ServiceClock clock;
    private final ExpiryJudge expiryJudge;
    private final Duration skew;

    BeatStamps(HostEnvironment hostEnvironment, ServiceClock clock, ExpiryJudge expiryJudge, Duration skew) {
        this.hostEnvironment = hostEnvironment;
        this.clock = clock;
        this.expiryJudge = expiryJudge;
        this.skew = skew;
    }

    /** How far ages may be off: nothing is added to what we observe ourselves. */
    Duration step() {
        return expiryJudge == ExpiryJudge.STAMP ? skew : Duration.ZERO;
    }

    /** Whether {@code next} is to have a stamp, and we are to judge by such. */
    boolean isWanted(@Nullable Entry next) {
        return expiryJudge == ExpiryJudge.STAMP && next != null && next.state() == LeaseState.HELD;
    }

    /** Whether our clock must be compared before {@code next} is written: it is neither known to be right nor wrong. */
    boolean wantsClock(@Nullable Entry next) {
        return isWanted(next) && !isRight() && !isWrong();
    }

    /** What says when the beat of {@code next} was written; none if nobody is to judge by it, or our clock may be off. */
    Map<ItemAttribute, AttributeValue> of(Entry next) {
        Grant grant = next.grant();
        if (grant == null || next.key().isAnchor() || !isRight()) {
            return Map.of();
        }
        String stamp = hostEnvironment.now().toEpochMilli() + " " + skew.toMillis() + " " + grant.beat();
        return Map.of(ItemAttribute.STAMP, ItemAttribute.of(stamp));
    }

    /**
     * How long the beat of {@code entry} has stood; null where that is to be observed.
     *
     * @throws StoreException if we are to judge by stamps, and our clock is off
     */
    @Nullable
    Duration age(Entry entry, Map<String, AttributeValue> item) {
        if (expiryJudge == ExpiryJudge.OBSERVATION) {
            return null;
        }
        requireRight();
        List<String> stamp = List.of(ItemAttribute.STAMP.findIn(item).orElse("").split(" ", -1));
        if (entry.grant() == null
                || entry.key().isAnchor()
                || !counts(stamp, entry.grant().beat())) {
            return null;
        }
        Duration age = Duration.between(Instant.ofEpochMilli(Long.parseLong(stamp.get(0))), hostEnvironment.now());
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** @throws StoreException if we are to judge by stamps, and our clock is not known to be right */
    void requireRight() {
        if (expiryJudge == ExpiryJudge.OBSERVATION || isRight()) {
            return;
        }
        if (!isWrong()) {
            throw StoreException.notApplied(
                    "DynamoDB: answers too slowly, or without its time, so that clocks cannot be compared (expected, for"
                            + " judge=stamp: within " + skew.toMillis() / 2 + " ms); try again, or judge=observation",
                    null);
        }
        throw StoreException.rejected(
                "DynamoDB: the clock of this machine is "
                        + clock.difference().map(Object::toString).orElse("far") + " of DynamoDB's (expected, for"
                        + " judge=stamp&skew=" + skew.toMillis() + "ms: within " + skew.toMillis() / 2
                        + " ms of it); set the clock, or judge=observation",
                null);
    }

    private boolean isWrong() {
        return clock.difference()
                .map(difference -> difference.isBeyond(skew.dividedBy(2)))
                .orElse(false);
    }

    private boolean isRight() {
        return clock.difference()
                .map(difference -> difference.isWithin(skew.dividedBy(2)))
                .orElse(false);
    }

    private boolean counts(List<String> stamp, Beat beat) {
        return stamp.size() == 3
                && NUMBER.matcher(stamp.get(0)).matches()
                && NUMBER.matcher(stamp.get(1)).matches()
                && Long.parseLong(stamp.get(1)) <= skew.toMillis()
                && stamp.get(2).equals(beat.toString());
    }
}
