package dev.holdfast.dynamodb.layouts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Workers of ours and of a8m/lease in one fleet. */
class KclBesideTest extends BesideTest {
    private static final Duration TERM = A8mWorker.EXPIRE_AFTER;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ForeignTable table = new ForeignTable("layout=kcl", "leaseKey");
    private final A8mWorker theirs = new A8mWorker(table, "theirs", time);

    @Override
    ForeignTable table() {
        return table;
    }

    @Test
    void ourItemsEqualTheirItems() {
        open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();

        Map<String, AttributeValue> item = table.item(NAME);
        assertThat(item).containsOnlyKeys("leaseKey", "leaseOwner", "leaseCounter", "holdfast");
        assertThat(item.get("leaseOwner")).isEqualTo(AttributeValue.fromS("ours"));
        assertThat(item.get("leaseCounter")).isEqualTo(AttributeValue.fromN("1"));
    }

    @Test
    void theyDoNotTakeALeaseThatWeRenew() {
        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();

        for (int second = 0; second < 60; second++) {
            assertThat(theirs.isExpired(requireNonNull(theirs.read(NAME)))).isFalse();
            time.advance(SECOND);
        }

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void weTakeOverOnlyWhenTheyAreDead() {
        theirs.create(NAME);
        CompletableFuture<AcquireResult> waiting = open("ours")
                .async()
                .acquire(KEY, renewed(TERM), Duration.ofHours(1))
                .toCompletableFuture();
        A8mWorker.@Nullable Lease theirLease = theirs.read(NAME);
        for (int second = 0; second < 60; second++) {
            if (second % 3 == 0) {
                theirLease = theirs.renew(requireNonNull(theirLease));
                assertThat(theirLease).as("theirs after %s s", second).isNotNull();
            }
            time.advance(SECOND);
            assertThat(waiting).isNotDone();
        }

        time.advance(TERM.plus(SECOND));

        assertThat(waiting).isDone();
        assertThat(waiting.join().isGranted()).isTrue();
        assertThat(theirs.renew(requireNonNull(theirLease)))
                .as("a zombie's renewal")
                .isNull();
    }

    @Test
    void theyTakeOverFromOurDeadWorkerAfterItsLeaseEnded() {
        Lease lease = open("ours").tryAcquire(KEY, unrenewed(TERM)).orThrow();
        A8mWorker.Lease seen = requireNonNull(theirs.read(NAME));
        while (!theirs.isExpired(seen)) {
            time.advance(Duration.ofMillis(100));
        }

        assertThat(lease.isHeld()).isFalse();
        assertThat(theirs.take(seen)).isNotNull();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> open("other").renew(KEY, lease.token()))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.TAKEN));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "NULL"})
    void anAbsentEmptyOrNullOwnerMeansFree(@Nullable String owner) {
        Map<String, AttributeValue> item =
                Map.of("leaseKey", AttributeValue.fromS(NAME), "leaseCounter", AttributeValue.fromN("7"));
        put(owner == null ? item : Tool.with(item, Map.of("leaseOwner", AttributeValue.fromS(owner))));

        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();

        assertThat(lease.fence().value()).isEqualTo(8);
        assertThat(theirs.read(NAME)).isEqualTo(new A8mWorker.Lease(NAME, "ours", 8));
    }

    @Test
    void theyTakeALeaseThatWeReleasedOrEvictedImmediately() {
        Leases ours = open("ours");
        Lease lease = ours.tryAcquire(KEY, renewed(TERM)).orThrow();
        lease.release();
        A8mWorker.Lease free = requireNonNull(theirs.read(NAME));
        assertThat(free.isFree()).isTrue();
        assertThat(theirs.take(free)).isNotNull();

        ours.evict(KEY, "to try it");

        assertThat(requireNonNull(theirs.read(NAME)).isFree()).isTrue();
    }

    @Test
    void fencesGrowOverTheGrantsOfBoth() {
        Leases ours = open("ours");
        long last = 0;
        for (int round = 0; round < 5; round++) {
            Lease lease = ours.tryAcquire(KEY, renewed(TERM)).orThrow();
            assertThat(lease.fence().value()).isGreaterThan(last);
            lease.renew();
            lease.release();
            A8mWorker.Lease taken = requireNonNull(theirs.take(requireNonNull(theirs.read(NAME))));
            assertThat(taken.counter()).isGreaterThan(lease.fence().value());
            last = taken.counter();
            theirs.evict(taken);
        }
    }

    @Test
    void theirConcurrentWritesAreNotOverwritten() {
        Leases ours = open("ours");
        Lease lease = ours.tryAcquire(KEY, unrenewed(TERM)).orThrow();
        A8mWorker.Lease seen = requireNonNull(theirs.read(NAME));
        time.advance(TERM.plus(SECOND));
        theirs.take(seen);

        assertThat(ours.release(KEY, lease.token())).isFalse();
        assertThat(ours.tryAcquire(KEY, renewed(TERM))).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(requireNonNull(theirs.read(NAME)).owner()).isEqualTo("theirs");
    }

    @Test
    void barringALateWriteDoesNotDisturbThem() {
        theirs.create(NAME);
        A8mWorker.Lease seen = requireNonNull(theirs.read(NAME));
        try (LeaseStore store = table.store(time)) {
            Entry entry = store.read(List.of(KEY)).get(0).orElseThrow().entry();
            Version barred = Version.of(UUID.randomUUID());

            WriteOutcome bar = store.apply(List.of(Change.replace(entry.version(), entry.withVersion(barred))))
                    .get(0);
            WriteOutcome late = store.apply(
                            List.of(Change.replace(entry.version(), entry.freed(Version.of(UUID.randomUUID())))))
                    .get(0);

            assertThat(bar).isEqualTo(WriteOutcome.APPLIED);
            assertThat(late).isInstanceOf(WriteOutcome.Conflict.class);
            assertThat(theirs.renew(seen)).as("their renewal").isNotNull();
        }
    }

    @Test
    void aDeletionIsSeenByBoth() {
        Leases ours = open("ours");
        Lease lease = ours.tryAcquire(KEY, renewed(TERM)).orThrow();

        assertThat(ours.delete(KEY, lease.token())).isInstanceOf(EditResult.Changed.class);

        assertThat(theirs.read(NAME)).isNull();
        theirs.create(NAME);
        theirs.delete(requireNonNull(theirs.read(NAME)));
        assertThat(ours.get(KEY)).isEmpty();
    }

    @Test
    void rivalsNeverHoldAtOnce() throws Exception {
        A8mWorker ann = new A8mWorker(table, "a8m-1", time);
        A8mWorker bob = new A8mWorker(table, "a8m-2", time);
        Duration term = Duration.ofSeconds(10);
        try (Leases one = table.open("ours-1");
                Leases two = table.open("ours-2")) {
            new Contest().run(15, List.of(rival(ann), rival(bob), Contest.of(one, term), Contest.of(two, term)));
        }
    }

    private static Contest.Rival rival(A8mWorker worker) {
        return () -> {
            A8mWorker.Lease seen = worker.read(Contest.key());
            A8mWorker.Lease taken =
                    seen == null ? worker.created(Contest.key()) : seen.isFree() ? worker.take(seen) : null;
            return Optional.ofNullable(taken)
                    .map(lease -> () -> assertThat(worker.evict(lease)).isTrue());
        };
    }
}
