package dev.holdfast.dynamodb;

import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.table.ServiceClock;
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
 * Times stored beside beats, and the rules for using them.
 *
 * <p>A clock is trusted only while it is known to be within half of the skew bound of the service's clock. A process
 * with a trusted clock stamps its beats, in either mode. So two trusted stamps differ by less than the bound from one
 * clock. A stamp with a wider bound than ours is ignored. An anchor keeps many leases alive, so it is never judged by a
 * stamp.
 *
 * <p>A stamp is a text of three parts: the milliseconds of the clock, the milliseconds of the bound that the clock was
 * known to keep, and the beat.
 */
final class BeatStamps {
    /** Basis for judging whether a lease has expired. */
    enum ExpiryJudge {
        /** A beat that this process saw unchanged for a whole term, by its own ticker. Needs no correct clock. */
        OBSERVATION,
        /**
         * The time that the holder wrote beside its beat, if its clock and ours are both known to be near the service's.
         */
        STAMP
    }

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

    /** Returns the time of the clock that stamps are made with. */
    Instant now() {
        return hostEnvironment.now();
    }

    /** Returns how far ages may be off. Our own observations need no allowance. */
    Duration step() {
        return expiryJudge == ExpiryJudge.STAMP ? skew : Duration.ZERO;
    }

    /** Returns whether {@code next} should have a stamp, and this process judges by stamps. */
    boolean isWanted(@Nullable Entry next) {
        return expiryJudge == ExpiryJudge.STAMP && next != null && next.state() == LeaseState.HELD;
    }

    /**
     * Returns whether our clock must be compared before {@code next} is written, because it is not known to be right or
     * wrong.
     */
    boolean needsClock(@Nullable Entry next) {
        return isWanted(next) && !isRight() && !isWrong();
    }

    /** Returns the stamp for the beat of {@code next}; empty if no client judges by it, or our clock may be off. */
    Map<ItemAttribute, AttributeValue> of(Entry next) {
        Grant grant = next.grant();
        if (grant == null || next.key().isAnchor() || !isRight()) {
            return Map.of();
        }
        String stamp = hostEnvironment.now().toEpochMilli() + " " + skew.toMillis() + " " + grant.beat();
        return Map.of(ItemAttribute.STAMP, ItemAttribute.of(stamp));
    }

    /**
     * Returns the age of the beat of {@code entry}; null if it must be observed.
     *
     * @throws StoreException if this process judges by stamps, and our clock is off
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

    /** @throws StoreException if this process judges by stamps, and our clock is not known to be right */
    void requireRight() {
        if (expiryJudge == ExpiryJudge.OBSERVATION || isRight()) {
            return;
        }
        if (!isWrong()) {
            throw StoreException.notApplied(
                    "DynamoDB: responds too slowly, or without its time, so that clocks cannot be compared (expected, for"
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
        return clock.isBeyond(skew.dividedBy(2));
    }

    private boolean isRight() {
        return clock.isWithin(skew.dividedBy(2));
    }

    private boolean counts(List<String> stamp, Beat beat) {
        return stamp.size() == 3
                && NUMBER.matcher(stamp.get(0)).matches()
                && NUMBER.matcher(stamp.get(1)).matches()
                && Long.parseLong(stamp.get(1)) <= skew.toMillis()
                && stamp.get(2).equals(beat.toString());
    }
}
