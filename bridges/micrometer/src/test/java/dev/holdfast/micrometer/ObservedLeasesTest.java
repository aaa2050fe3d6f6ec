package dev.holdfast.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One observation for each acquire, with key, fence and outcome. */
class ObservedLeasesTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().holder("ann");

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final Leases plain =
            Holdfast.open("memory:", LeasesOptions.builder().holder("bob").build());
    private final Leases leases = ObservedLeases.of(plain, registry);

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void aGrantHasItsKeyAndItsFence() {
        try (Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow()) {
            assertThat(registry)
                    .hasSingleObservationThat()
                    .hasNameEqualTo("holdfast.acquire")
                    .hasContextualNameEqualTo("holdfast acquire")
                    .hasLowCardinalityKeyValue("outcome", "granted")
                    .hasHighCardinalityKeyValue("holdfast.key", "orders/42")
                    .hasHighCardinalityKeyValue(
                            "holdfast.fence", String.valueOf(lease.fence().value()))
                    .hasBeenStarted()
                    .hasBeenStopped()
                    .doesNotHaveError();
        }
    }

    @Test
    void aRefusalNamesTheHolder() throws Exception {
        try (Lease lease = plain.tryAcquire(KEY, OPTIONS).orThrow()) {
            assertThat(leases.acquire(KEY, AcquireOptions.defaults(), Duration.ofMillis(5))
                            .isGranted())
                    .isFalse();
            assertThat(lease.isHeld()).isTrue();

            assertThat(registry)
                    .hasSingleObservationThat()
                    .hasLowCardinalityKeyValue("outcome", "held")
                    .hasHighCardinalityKeyValue("holdfast.held.by", "ann")
                    .doesNotHaveHighCardinalityKeyValueWithKey("holdfast.fence")
                    .doesNotHaveError();
        }
    }

    @Test
    void aDoneKeyIsAnOutcome() {
        plain.tryAcquire(KEY, OPTIONS).orThrow().done();

        assertThat(leases.tryAcquire(KEY, OPTIONS)).isInstanceOf(AcquireResult.Done.class);

        assertThat(registry).hasSingleObservationThat().hasLowCardinalityKeyValue("outcome", "done");
    }

    @Test
    void aFailureIsTheErrorOfTheObservation() {
        leases.close();

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> leases.tryAcquire(KEY, OPTIONS));

        assertThat(registry)
                .hasSingleObservationThat()
                .hasLowCardinalityKeyValue("outcome", "failed")
                .hasError()
                .hasBeenStopped();
    }

    @Test
    void anInterruptEndsTheObservation() {
        try (Lease lease = plain.tryAcquire(KEY, OPTIONS).orThrow()) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> leases.acquire(KEY, OPTIONS, Duration.ofMinutes(1)));
            assertThat(lease.isHeld()).isTrue();

            assertThat(registry)
                    .hasSingleObservationThat()
                    .hasLowCardinalityKeyValue("outcome", "cancelled")
                    .hasBeenStopped();
        }
    }

    @Test
    void anAsynchronousAcquireEndsWithItsAnswer() throws Exception {
        Lease first = plain.tryAcquire(KEY, OPTIONS).orThrow();
        CompletableFuture<AcquireResult> waiting =
                leases.async().acquire(KEY, OPTIONS, Duration.ofMinutes(1)).toCompletableFuture();
        assertThat(registry).hasSingleObservationThat().hasBeenStarted().isNotStopped();

        // The observation ends before the caller's continuations, which are no part of the acquire.
        CompletableFuture<Void> checked = waiting.thenAccept(
                granted -> assertThat(registry).hasSingleObservationThat().hasBeenStopped());
        assertThat(first.release()).isTrue();

        checked.get(60, TimeUnit.SECONDS);
        assertThat(registry)
                .hasSingleObservationThat()
                .hasLowCardinalityKeyValue("outcome", "granted")
                .hasHighCardinalityKeyValue(
                        "holdfast.fence",
                        String.valueOf(waiting.join().orThrow().fence().value()));
    }

    @Test
    void aCancelledAcquireLeavesTheQueue() throws Exception {
        try (Lease lease = plain.tryAcquire(KEY, OPTIONS).orThrow()) {
            CompletableFuture<AcquireResult> waiting =
                    leases.async().acquire(KEY, OPTIONS, Duration.ofMinutes(1)).toCompletableFuture();
            assertThat(waiting.cancel(false)).isTrue();

            assertThat(registry)
                    .hasSingleObservationThat()
                    .hasLowCardinalityKeyValue("outcome", "cancelled")
                    .hasBeenStopped();
            assertThat(lease.release()).isTrue();
        }
        assertThat(plain.acquire(KEY, OPTIONS, Duration.ofMinutes(1)).isGranted())
                .isTrue();
    }

    @Test
    void aGrantThatItsCallerNoLongerAwaitsIsReleased() throws Exception {
        Lease lease = plain.tryAcquire(KEY, OPTIONS).orThrow();
        CompletableFuture<AcquireResult> waiting =
                leases.async().acquire(KEY, OPTIONS, Duration.ofMinutes(1)).toCompletableFuture();
        // As orTimeout does.
        assertThat(waiting.completeExceptionally(new TimeoutException())).isTrue();

        assertThat(lease.release()).isTrue();

        assertThat(plain.acquire(KEY, OPTIONS, Duration.ofMinutes(1)).isGranted())
                .isTrue();
    }

    @Test
    void anAnchorIsAnAcquireToo() {
        try (Anchor anchor = leases.anchor("worker", Duration.ofSeconds(30));
                Lease lease = leases.tryAcquire(KEY, OPTIONS.under(anchor)).orThrow()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(registry)
                    .hasNumberOfObservationsWithNameEqualTo("holdfast.acquire", 2)
                    .hasAnObservationWithAKeyValue("holdfast.key", anchor.key().toString());
        }
    }

    @Test
    void badArgumentsAreFailures() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.async().acquire(KEY, OPTIONS, Duration.ofSeconds(-1)));

        assertThat(registry)
                .hasSingleObservationThat()
                .hasLowCardinalityKeyValue("outcome", "failed")
                .hasBeenStopped();
    }

    @Test
    void theAcquireIsPartOfTheCallersObservation() {
        Observation caller = Observation.start("caller", registry);
        try (Observation.Scope scope = caller.openScope();
                Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow()) {
            assertThat(scope.isNoop() || !lease.isHeld()).isFalse();
        }
        caller.stop();

        assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.acquire")
                .that()
                .hasParentObservationContextSatisfying(
                        parent -> assertThat(parent.getName()).isEqualTo("caller"));
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void theTimerHasTheOutcomeAndNoKey() {
        MeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));

        try (Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow()) {
            assertThat(lease.isHeld()).isTrue();

            assertThat(meters.get("holdfast.acquire")
                            .tag("outcome", "granted")
                            .timer()
                            .getId()
                            .getTags())
                    .extracting(Tag::getKey)
                    .containsExactlyInAnyOrder("error", "outcome");
        }
    }

    @Test
    void labelsFromKeysAreMadeIfAskedFor() {
        MeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        AcquireConvention byNamespace =
                AcquireConvention.defaults().keyLabels(key -> KeyValues.of("namespace", key.namespace()));

        try (Lease lease = ObservedLeases.of(plain, registry, byNamespace)
                .tryAcquire(KEY, OPTIONS)
                .orThrow()) {
            assertThat(lease.isHeld()).isTrue();

            assertThat(meters.get("holdfast.acquire")
                            .tags("outcome", "granted", "namespace", "orders")
                            .timer()
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void aFailingHandlerCostsNoLease() {
        ObservationRegistry broken = ObservationRegistry.create();
        broken.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                throw new NoClassDefFoundError("a test");
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });

        try (Lease lease =
                ObservedLeases.of(plain, broken).tryAcquire(KEY, OPTIONS).orThrow()) {
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(Objects.requireNonNull(plain.get(KEY)).orElseThrow().isHeld())
                .isFalse();
    }
}
