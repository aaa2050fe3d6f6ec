package dev.holdfast.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.spring.TestApplication;
import dev.holdfast.spring.actuator.WritableHoldfastEndpoint.LeaseEnding;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class HoldfastEndpointTest {
    private final ApplicationContextRunner application =
            TestApplication.inMemory().withPropertyValues("management.endpoints.web.exposure.include=holdfast");

    @Test
    void itShowsLeasesWaitingCallsAndElections() {
        application.withPropertyValues("holdfast.elections.chief.term=20s").run(context -> {
            Leases leases = context.getBean(Leases.class);
            Lease lease = leases.tryAcquire(Key.of("orders", "7"), AcquireOptions.defaults())
                    .orThrow();
            var waiting = leases.async()
                    .acquire(Key.of("orders", "7"), AcquireOptions.defaults(), Duration.ofMinutes(1))
                    .toCompletableFuture();
            HoldfastEndpoint endpoint = context.getBean(HoldfastEndpoint.class);
            TestApplication.await("elected", () -> leads(endpoint));

            HoldfastReport.StoreReport store = storeOf(endpoint);
            assertThat(store.held())
                    .filteredOn(held -> held.namespace().equals("orders"))
                    .singleElement()
                    .satisfies(held -> {
                        assertThat(held.name()).isEqualTo("7");
                        assertThat(held.fence()).isEqualTo(lease.fence().value());
                        assertThat(held.atRisk()).isFalse();
                    });
            assertThat(store.heldCount()).isEqualTo(2);
            assertThat(store.waiting())
                    .singleElement()
                    .satisfies(call -> assertThat(call.key()).contains("7"));

            waiting.cancel(false);
            lease.release();
            TestApplication.await(
                    "no longer waiting", () -> storeOf(endpoint).waiting().isEmpty());
            assertThat(storeOf(endpoint).heldCount()).isOne();
        });
    }

    @Test
    void itIsReadOnlyUnlessEnabled() {
        application.run(context -> assertThat(context)
                .hasSingleBean(HoldfastEndpoint.class)
                .doesNotHaveBean(WritableHoldfastEndpoint.class));
    }

    @Test
    void ifEnabledItReleasesAndEvicts() {
        application.withPropertyValues("holdfast.endpoint.writable=true").run(context -> {
            Leases leases = context.getBean(Leases.class);
            HoldfastEndpoint bean = context.getBean(HoldfastEndpoint.class);
            assertThat(bean).isInstanceOf(WritableHoldfastEndpoint.class);
            WritableHoldfastEndpoint endpoint = (WritableHoldfastEndpoint) bean;
            Lease released = leases.tryAcquire("a").orThrow();
            leases.tryAcquire(Key.of("n", "b"), AcquireOptions.defaults()).orThrow();

            assertThat(endpoint.end(LeaseEnding.RELEASE, "a", null, null, null)).containsEntry("changed", true);
            assertThat(released.isHeld()).isFalse();
            assertThat(endpoint.end(LeaseEnding.RELEASE, "a", null, null, null)).containsEntry("changed", false);
            assertThat(endpoint.end(LeaseEnding.EVICT, "b", "n", "default", "for the test"))
                    .containsEntry("changed", true);
            assertThat(leases.get(Key.of("n", "b")).orElseThrow().isHeld()).isFalse();
        });
    }

    @Test
    void anEndpointThatIsNotExposedDoesNotExist() {
        TestApplication.inMemory().run(context -> assertThat(context).doesNotHaveBean(HoldfastEndpoint.class));
    }

    private static HoldfastReport.StoreReport storeOf(HoldfastEndpoint endpoint) {
        return Objects.requireNonNull(endpoint.report().stores().get("default"));
    }

    private static boolean leads(HoldfastEndpoint endpoint) {
        HoldfastReport.ElectionReport election = endpoint.report().elections().get("chief");
        return election != null && election.leader();
    }
}
