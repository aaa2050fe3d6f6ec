package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests of our locks beside scripts that use awsflock. */
class AwsFlockBesideTest extends BesideTest {
    private static final Duration TERM = Duration.ofSeconds(60);
    private static final Duration SKEW = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ForeignTable table = new ForeignTable("layout=awsflock", "lock_id");
    private final AwsFlockScript theirs = new AwsFlockScript(table, "their-host", time::now);

    @Override
    ForeignTable table() {
        return table;
    }

    @Test
    void ourItemsEqualTheirItems() {
        time.advance(Duration.ofMillis(700));
        Lease lease = open("our-host").tryAcquire(KEY, unrenewed(TERM)).orThrow();

        Map<String, AttributeValue> item = table.item(NAME);
        assertThat(item)
                .containsOnlyKeys("lock_id", "lease_id", "lease_duration", "owner", "expiration_time", "holdfast");
        assertThat(Tool.text(item, "lease_id")).isEqualTo(lease.token().secret());
        assertThat(Tool.number(item, "lease_duration")).isEqualTo(60);
        assertThat(Tool.text(item, "owner")).isEqualTo("our-host");
        assertThat(Tool.number(item, "expiration_time"))
                .isEqualTo(time.now().plus(TERM).getEpochSecond());
    }

    @Test
    void theyAreRejectedWhileOurLeaseIsValidEvenIfTheirClockIsAhead() {
        AwsFlockScript ahead =
                new AwsFlockScript(table, "ahead", () -> time.now().plus(SKEW));
        time.advance(Duration.ofMillis(999)); // The rounding of the end then loses the most.
        Lease lease = open("ours").tryAcquire(KEY, unrenewed(TERM)).orThrow();

        boolean taken = false;
        while (!taken) {
            taken = ahead.acquire(NAME, 60).isPresent();
            assertThat(taken && lease.isHeld()).as("both hold").isFalse();
            time.advance(Duration.ofMillis(250));
        }
    }

    @Test
    void weTakeTheirsAfterItsEndAndTheGraceAndNotBefore() {
        assertThat(theirs.acquire(NAME, 60)).isPresent();
        Instant end = time.now().plus(TERM);
        Leases ours = open("ours");

        while (!ours.tryAcquire(KEY, unrenewed(TERM)).isGranted()) {
            time.advance(Duration.ofMillis(250));
        }

        assertThat(time.now()).isBetween(end.plusSeconds(5), end.plusSeconds(6));
    }

    @Test
    void aLeaseThatWeRenewIsNotTakenAndItsTokenChanges() {
        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();
        Token first = lease.token();
        for (int second = 0; second < 180; second += 3) {
            assertThat(theirs.acquire(NAME, 60)).isEmpty();
            time.advance(SECOND.multipliedBy(3));
        }

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.token()).isNotEqualTo(first);
        assertThat(theirs.release(NAME, first.toString())).isFalse();
        assertThat(theirs.release(NAME, lease.token().secret())).isTrue();
    }

    @Test
    void eitherMayRenewAndReleaseALockOfTheOtherByItsId() {
        Leases ours = open("ours");
        String acquired = theirs.acquire(NAME, 60).orElseThrow();

        RenewResult renewed = ours.renew(KEY, Token.parse(acquired));
        // The end is rounded down to a second, and their clocks may be ahead by all of their grace.
        assertThat(renewed.remaining()).isEqualTo(TERM.minusSeconds(1));
        assertThat(theirs.renew(NAME, acquired)).as("the old id").isEmpty();
        String again = theirs.renew(NAME, renewed.token().secret()).orElseThrow();

        assertThat(ours.release(KEY, renewed.token())).isFalse();
        assertThat(ours.release(KEY, Token.parse(again))).isTrue();
        assertThat(theirs.release(NAME, again)).as("of a free lock").isFalse();
    }

    @Test
    void theyAcquireOurReleasedLockImmediately() {
        Leases ours = open("ours");
        ours.tryAcquire(KEY, unrenewed(TERM)).orThrow().release();

        String lease = theirs.acquire(NAME, 60).orElseThrow();

        assertThat(ours.tryAcquire(KEY, unrenewed(TERM))).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(theirs.release(NAME, lease)).isTrue();
        ours.tryAcquire(KEY, unrenewed(TERM)).orThrow();
    }

    @Test
    void aLeaseThatTheyReclaimedIsLost() {
        Lease lease = open("ours").tryAcquire(KEY, unrenewed(TERM)).orThrow();
        time.advance(TERM.plusSeconds(6));
        assertThat(theirs.acquire(NAME, 60)).isPresent();

        assertThat(lease.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> open("other").renew(KEY, lease.token()));
    }

    @Test
    void aLeaseBeginsWhenItIsGrantedAfterAnyWait() {
        assertThat(theirs.acquire(NAME, 600)).isPresent();
        CompletableFuture<AcquireResult> waiting = open("ours")
                .async()
                .acquire(KEY, unrenewed(Duration.ofSeconds(20)), Duration.ofHours(1))
                .toCompletableFuture();
        while (!waiting.isDone()) {
            time.advance(SECOND);
        }

        assertThat(waiting.join().orThrow().remaining()).isBetween(Duration.ofSeconds(18), Duration.ofSeconds(20));
        assertThat(Tool.number(table.item(NAME), "expiration_time"))
                .isGreaterThan(time.now().plusSeconds(17).getEpochSecond());
    }

    @Test
    void rivalsNeverHoldAtOnce() throws Exception {
        AwsFlockScript ann = new AwsFlockScript(table, "ann", Instant::now);
        AwsFlockScript bob = new AwsFlockScript(table, "bob", Instant::now);
        try (Leases one = table.open("ours-1");
                Leases two = table.open("ours-2")) {
            new Contest().run(15, List.of(rival(ann), rival(bob), Contest.of(one, TERM), Contest.of(two, TERM)));
        }
    }

    private static Contest.Rival rival(AwsFlockScript script) {
        return () -> {
            Optional<String> lease = script.acquire(Contest.key(), 60);
            return lease.map(
                    it -> () -> assertThat(script.release(Contest.key(), it)).isTrue());
        };
    }
}
