package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.service.LeaseActivity;
import dev.holdfast.service.LeaseActivity.LateRenewal;
import dev.holdfast.service.LeaseActivity.WaitedKey;
import dev.holdfast.service.LeaseService;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the waits and late renewals that a process reports over all its keys. */
class LeaseActivityTest {
    private static final Key A = Key.of("orders", "a");
    private static final Key B = Key.of("orders", "b");
    private static final Key SECRET = Key.of("secret", "c");
    private static final Duration TERM = Duration.ofSeconds(40);

    private final ManualClock runtime = new ManualClock();
    private final List<String> ended = new ArrayList<>();
    private final List<CompletableFuture<AcquireResult>> waits = new ArrayList<>();
    private final Leases leases = Holdfast.open(
            new MemoryStore(runtime),
            LeasesOptions.builder()
                    .holder("ann")
                    .withoutCleanUp()
                    .environment(runtime)
                    .listener(new LeaseListener() {
                        @Override
                        public void onWaitEnded(Key key, long nanos, boolean granted) {
                            ended.add(key.name() + " " + Duration.ofNanos(nanos).toSeconds() + " " + granted);
                        }
                    })
                    .build());
    private final LeaseActivity activity = LeaseService.of(leases).activity();

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
    }

    private Lease acquire(Key key) {
        return leases.tryAcquire(key, AcquireOptions.defaults().term(TERM).autoRenew(false))
                .orThrow();
    }

    /** Waits for a key in the background. */
    private void await(Key key, String holder, Duration wait) {
        AcquireOptions options =
                AcquireOptions.defaults().term(TERM).autoRenew(false).holder(holder);
        waits.add(leases.async().acquire(key, options, wait).toCompletableFuture());
    }

    @Test
    void theLongestLinesComeFirstAndOthersAreCounted() {
        List.of(A, B, SECRET).forEach(this::acquire);
        await(A, "bob", Duration.ofMinutes(1));
        runtime.advance(Duration.ofSeconds(1));
        await(B, "bob", Duration.ofMinutes(1));
        await(B, "cyd", Duration.ofMinutes(1));
        await(SECRET, "eve", Duration.ofMinutes(1));

        var all = activity.waiting(key -> true, 2);
        assertThat(all.keys()).isEqualTo(3);
        assertThat(all.requests()).isEqualTo(4);
        assertThat(all.longest()).extracting(WaitedKey::key).containsExactly(B, A);
        assertThat(all.longest().get(0).line().first())
                .extracting(it -> it.holder().name())
                .containsExactly("bob", "cyd");

        var some = activity.waiting(key -> key.namespace().equals("secret"), 2);
        assertThat(some.requests()).isEqualTo(1);
        assertThat(some.longest()).extracting(WaitedKey::key).containsExactly(SECRET);
    }

    @Test
    void theEndOfAWaitIsReportedOnceWithItsOutcome() {
        Lease held = acquire(A);
        await(A, "bob", Duration.ofMinutes(1));
        await(A, "cyd", Duration.ofSeconds(5));
        runtime.advance(Duration.ofSeconds(5).plusMillis(1));
        assertThat(ended).containsExactly("a 5 false");

        runtime.advance(Duration.ofSeconds(2));
        held.release();

        assertThat(ended).containsExactly("a 5 false", "a 7 true");
        assertThat(activity.waiting(key -> true, 9).requests()).isZero();
    }

    @Test
    void aRequestThatFindsTheKeyFreeDoesNotWait() {
        await(A, "bob", Duration.ofMinutes(1));

        assertThat(waits.get(0)).isCompletedWithValueMatching(AcquireResult::isGranted);

        assertThat(ended).isEmpty();
    }

    @Test
    void aLateRenewalIsListedUntilTheLeaseEnds() {
        Lease late = acquire(A);
        Lease punctual = acquire(B);
        runtime.advance(Duration.ofSeconds(13));
        punctual.renew();
        runtime.advance(Duration.ofSeconds(20));
        late.renew();
        punctual.renew();

        assertThat(activity.lateRenewals(key -> true, 9)).singleElement().satisfies(it -> {
            assertThat(it.key()).isEqualTo(A);
            assertThat(it.holder()).isEqualTo(Holder.of("ann"));
            assertThat(it.leftAtLast()).isEqualTo(Duration.ofSeconds(7));
            assertThat(it.term()).isEqualTo(TERM);
            assertThat(it.sinceRenewal()).isZero();
        });
        assertThat(activity.lateRenewals(key -> key.equals(B), 9)).isEmpty();

        late.release();
        assertThat(activity.lateRenewals(key -> true, 9)).isEmpty();
    }

    @Test
    void aLeaseWithPunctualRenewalsIsNoLongerLate() {
        Lease lease = acquire(A);
        runtime.advance(Duration.ofSeconds(35));
        lease.renew();
        for (int i = 0; i < 4; i++) {
            runtime.advance(Duration.ofSeconds(10));
            lease.renew();
        }
        assertThat(activity.lateRenewals(key -> true, 9))
                .extracting(LateRenewal::leastLeft)
                .containsExactly(Duration.ofSeconds(5));

        runtime.advance(Duration.ofSeconds(10));
        lease.renew();

        assertThat(activity.lateRenewals(key -> true, 9)).isEmpty();
    }
}
