package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.dynamodb.table.DynamoTransport;
import dev.holdfast.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The service throttles, fails, does not respond, or responds late. */
class TroubleTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(Duration.ofMinutes(5)).autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final String url = Tables.create();
    private final Way way = new Way(DynamoTransport.http(DynamoUrl.parse(url)));
    private final NativeTableStore store = Tables.open(url, runtime, http -> way);
    private final Leases ann = Holdfast.open(
            new InlineStore(store),
            LeasesOptions.builder().holder("ann").environment(runtime).build());
    private final Leases bob = Holdfast.open(
            new InlineStore(Tables.open(url, runtime)),
            LeasesOptions.builder().holder("bob").environment(runtime).build());

    @AfterEach
    void close() {
        way.usually(() -> Trouble.NONE);
        ann.close();
        bob.close();
        runtime.close();
    }

    private CompletableFuture<AcquireResult> acquire(Key key) {
        return ann.async().tryAcquire(key, OPTIONS).toCompletableFuture();
    }

    @Test
    void aThrottledRequestBacksOffAndIsNotReportedAsHeld() {
        way.next(Trouble.THROTTLED, Trouble.THROTTLED, Trouble.THROTTLED);

        CompletableFuture<AcquireResult> acquired = acquire(KEY);
        assertThat(acquired).as("backs off").isNotDone();
        long sentImmediately = store.requests().total();
        runtime.advance(Duration.ofSeconds(1));

        assertThat(acquired).isCompletedWithValueMatching(AcquireResult::isGranted);
        assertThat(sentImmediately).as("sent before the first pause").isEqualTo(1);
        assertThat(store.requests().total()).as("one request for each attempt").isLessThanOrEqualTo(6);
    }

    @Test
    void endlessThrottlingIsReportedAsNotAppliedAfterTheTimeout() {
        way.usually(() -> Trouble.THROTTLED);

        CompletableFuture<AcquireResult> acquired = acquire(KEY);
        runtime.advance(Duration.ofSeconds(20));

        assertThat(acquired)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(StoreException.class, e -> {
                    assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED);
                    assertThat(e.isRetryable()).isTrue();
                    assertThat(e).hasMessageContaining("throttled");
                });
        assertThat(bob.get(KEY)).isEmpty();
    }

    @Test
    void oneThrottledKeyDoesNotDelayOthers() {
        way.only("orders/hot");
        way.usually(() -> Trouble.THROTTLED);

        CompletableFuture<AcquireResult> hot = acquire(Key.of("orders", "hot"));
        assertThat(acquire(Key.of("orders", "cold"))).isCompletedWithValueMatching(AcquireResult::isGranted);
        assertThat(hot).isNotDone();

        way.usually(() -> Trouble.NONE);
        runtime.advance(Duration.ofSeconds(2));
        assertThat(hot).isCompletedWithValueMatching(AcquireResult::isGranted);
    }

    @ParameterizedTest
    @EnumSource(value = Trouble.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aWriteTakesEffectOnceDespiteAnyFault(Trouble trouble) throws IOException {
        ann.tryAcquire(KEY, OPTIONS).orThrow().release();
        way.next(trouble);

        CompletableFuture<AcquireResult> acquired = acquire(KEY);
        runtime.advance(Duration.ofSeconds(2));
        way.deliverLate();

        Lease lease = acquired.join().orThrow();
        assertThat(bob.get(KEY).orElseThrow().entry().grants()).isEqualTo(2);
        assertThat(bob.get(KEY).orElseThrow().entry().isHeldBy(lease.token())).isTrue();
        assertThat(bob.tryAcquire(KEY, OPTIONS).isGranted()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = Trouble.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aReleaseOrDoneTakesEffectOnceDespiteAnyFault(Trouble trouble) throws IOException {
        Lease released = ann.tryAcquire(KEY, OPTIONS).orThrow();
        way.next(trouble);
        CompletableFuture<?> release = released.releaseAsync().toCompletableFuture();
        runtime.advance(Duration.ofSeconds(2));
        way.deliverLate();
        assertThat(release).isCompleted();
        assertThat(bob.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);

        Lease finished = ann.tryAcquire(KEY, OPTIONS).orThrow();
        way.next(trouble);
        CompletableFuture<?> done = finished.doneAsync(AttributePatch.NONE).toCompletableFuture();
        runtime.advance(Duration.ofSeconds(2));
        way.deliverLate();
        assertThat(done).isCompleted();
        assertThat(bob.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    void anAbandonedWriteNeverTakesEffect() throws IOException {
        ann.tryAcquire(KEY, OPTIONS).orThrow().release();
        way.usually(() -> Trouble.LATE);
        CompletableFuture<AcquireResult> acquired = acquire(KEY);
        runtime.advance(Duration.ofSeconds(11));
        assertThat(acquired).as("being settled").isNotDone();

        way.usually(() -> Trouble.NONE);
        runtime.advance(Duration.ofSeconds(2));
        assertThat(acquired)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
        way.deliverLate();

        assertThat(bob.get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aFailedReadIsRetried() {
        way.next(Trouble.FAILED_BEFORE, Trouble.ANSWER_LOST, Trouble.THROTTLED);

        CompletableFuture<?> got = ann.async().get(KEY).toCompletableFuture();
        runtime.advance(Duration.ofSeconds(1));

        assertThat(got).isCompleted();
    }

    @Test
    void aMissingTableIsReportedWithTheCommandThatCreatesIt() {
        String table = LocalDynamo.freshTable();
        String missing = LocalDynamo.patientUrl(table);
        try (Leases leases = Holdfast.open(
                new InlineStore(Tables.open(missing, runtime)),
                LeasesOptions.builder().environment(runtime).build())) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.tryAcquire(KEY, OPTIONS))
                    .withMessageContaining("there is no table")
                    .withMessageContaining("holdfast store init --store '" + LocalDynamo.url(table) + "'")
                    .satisfies(e -> assertThat(e.isRetryable()).isFalse());
        }
    }

    @Test
    void withoutAServerNothingIsApplied() {
        String unreachable = "dynamodb://table?region=us-east-1&endpoint=http://localhost:1";
        try (NativeTableStore dead = Tables.open(unreachable, runtime)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> dead.read(List.of(KEY)))
                    .withMessageContaining("cannot connect")
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
        }
    }
}
