package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with two machines, one of them with a clock that is an hour off. */
class ClockSkewTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions UNRENEWED =
            AcquireOptions.defaults().term(TERM).autoRenew(false);
    private static final AcquireOptions RENEWED = AcquireOptions.defaults().term(TERM);

    private final String url = Tables.create();
    private final ManualClock annsTime = new ManualClock(1);
    private final ManualClock bobsTime = new ManualClock(2);
    /** The clock of the service, which is right. */
    private final ManualClock world = new ManualClock(3);

    private Leases open(String holder, ManualClock runtime, String judge) {
        NativeTableStore store = Tables.open(url + "&judge=" + judge, runtime, http -> new Way(http, world::now));
        return Holdfast.open(
                new InlineStore(store),
                LeasesOptions.builder().holder(holder).environment(runtime).build());
    }

    private void elapse(Duration time) {
        Duration step = Duration.ofSeconds(1);
        for (Duration left = time; !left.isZero(); left = left.minus(step)) {
            world.advance(step);
            annsTime.advance(step);
            bobsTime.advance(step);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void byObservationALiveHolderIsNeverEvicted(Duration skew) {
        annsTime.jumpWall(skew);
        try (Leases ann = open("ann", annsTime, "observation");
                Leases bob = open("bob", bobsTime, "observation")) {
            Lease held = ann.tryAcquire(KEY, RENEWED).orThrow();
            CompletableFuture<AcquireResult> bobs =
                    bob.async().acquire(KEY, UNRENEWED, Duration.ofHours(1)).toCompletableFuture();

            elapse(TERM.multipliedBy(4));

            assertThat(bobs).isNotDone();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void byObservationADeadHolderIsEvictedAfterItsTermAndNotBefore(Duration skew) {
        annsTime.jumpWall(skew);
        try (Leases ann = open("ann", annsTime, "observation");
                Leases bob = open("bob", bobsTime, "observation")) {
            Lease dead = ann.tryAcquire(KEY, UNRENEWED).orThrow();
            CompletableFuture<AcquireResult> bobs =
                    bob.async().acquire(KEY, UNRENEWED, Duration.ofHours(1)).toCompletableFuture();

            elapse(TERM);
            assertThat(bobs).isNotDone();
            elapse(Duration.ofSeconds(2));

            assertThat(bobs.join().orThrow().fence()).isGreaterThan(dead.fence());
            assertThat(dead.isHeld()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H", "PT4S", "PT-4S"})
    void aClientThatJudgesByStampWithAWrongClockIsRejected(Duration skew) {
        bobsTime.jumpWall(skew);
        try (Leases ann = open("ann", annsTime, "observation");
                Leases bob = open("bob", bobsTime, "stamp")) {
            ann.tryAcquire(KEY, RENEWED).orThrow();

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> bob.tryAcquire(KEY, UNRENEWED))
                    .withMessageContaining("the clock of this machine is")
                    .withMessageContaining(skew.isNegative() ? "behind" : "ahead")
                    .satisfies(e -> assertThat(e.isRetryable()).isFalse());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> bob.tryAcquire(Key.of("a free one"), UNRENEWED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void theStampOfAWrongClockIsNotTrusted(Duration skew) {
        annsTime.jumpWall(skew);
        try (Leases ann = open("ann", annsTime, "observation");
                Leases bob = open("bob", bobsTime, "stamp")) {
            Lease held = ann.tryAcquire(KEY, RENEWED).orThrow();
            elapse(TERM.multipliedBy(2));

            assertThat(bob.tryAcquire(KEY, UNRENEWED).isGranted()).isFalse();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void byStampADeadHolderIsEvictedAtFirstSight() {
        try (Leases ann = open("ann", annsTime, "observation");
                Leases bob = open("bob", bobsTime, "stamp")) {
            ann.get(KEY); // From here on, its clock is known to be right.
            ann.tryAcquire(KEY, UNRENEWED).orThrow();

            elapse(TERM.plusSeconds(5));
            assertThat(bob.tryAcquire(KEY, UNRENEWED).isGranted())
                    .as("term and skew bound")
                    .isFalse();
            elapse(Duration.ofSeconds(1));

            assertThat(bob.tryAcquire(KEY, UNRENEWED).isGranted()).isTrue();
        }
    }

    @Test
    void anAnchorIsNeverEvictedByStamp() {
        try (Leases ann = open("ann", annsTime, "observation");
                Leases bob = open("bob", bobsTime, "stamp")) {
            ann.get(KEY);
            Anchor anchor =
                    ann.async().anchor("ann", TERM).toCompletableFuture().join();
            ann.tryAcquire(KEY, AcquireOptions.defaults().under(anchor)).orThrow();
            // Ann's machine is paused while time passes elsewhere.
            world.advance(Duration.ofMinutes(10));
            bobsTime.advance(Duration.ofMinutes(10));

            assertThat(bob.tryAcquire(KEY, UNRENEWED).isGranted()).isFalse();

            CompletableFuture<AcquireResult> bobs =
                    bob.async().acquire(KEY, UNRENEWED, Duration.ofHours(1)).toCompletableFuture();
            for (int i = 0; i < 40; i++) {
                world.advance(Duration.ofSeconds(1));
                bobsTime.advance(Duration.ofSeconds(1));
            }
            assertThat(bobs.join().isGranted()).as("by observation").isTrue();
        }
    }

    @Test
    void aClockThatIsSetWhileInUseIsDetected() {
        try (Leases ann = open("ann", annsTime, "stamp")) {
            ann.tryAcquire(Key.of("before"), UNRENEWED).orThrow();
            annsTime.jumpWall(Duration.ofHours(1));

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> ann.tryAcquire(Key.of("after"), UNRENEWED))
                    .withMessageContaining("ahead");
        }
    }
}
