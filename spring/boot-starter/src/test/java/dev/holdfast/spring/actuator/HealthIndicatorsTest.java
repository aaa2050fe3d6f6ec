package dev.holdfast.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spring.TestApplication;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class HealthIndicatorsTest {
    private static final Duration TERM = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(clock));
    private final ApplicationContextRunner application = TestApplication.withoutStore()
            .withPropertyValues("holdfast.health.timeout=200ms")
            .withBean(
                    "leases",
                    Leases.class,
                    () -> Holdfast.open(
                            store,
                            LeasesOptions.builder()
                                    .environment(clock)
                                    .withoutCleanUp()
                                    .build()));

    private static Health health(ApplicationContext context, String part) {
        CompositeHealthContributor all = context.getBean(CompositeHealthContributor.class);
        Health found = ((HealthIndicator) java.util.Objects.requireNonNull(all.getContributor(part))).health();
        return java.util.Objects.requireNonNull(found);
    }

    private static void assertOnly(ApplicationContext context, String bad, String problem) {
        for (String part : new String[] {"store", "leases", "fleets"}) {
            Health health = health(context, part);
            assertThat(health.getStatus()).as(part).isEqualTo(part.equals(bad) ? Status.DOWN : Status.UP);
            if (part.equals(bad)) {
                assertThat(health.getDetails()).containsEntry("problem", problem);
            }
        }
    }

    @Test
    void aHealthyApplicationIsUp() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("a").orThrow();

            assertOnly(context, "", "");
            assertThat(health(context, "store").getDetails()).containsEntry("default", "reachable");
            assertThat(health(context, "leases").getDetails()).containsEntry("held", 1);
        });
    }

    @Test
    void anUnreachableStoreIsDown() {
        application.run(context -> {
            store.always(Call.READ, StoreFault.FAIL);

            assertOnly(context, "store", "store unreachable");

            store.heal();
            clock.advance(Duration.ofSeconds(10));
            assertOnly(context, "", "");
        });
    }

    @Test
    void leasesThatAreNotRenewedAreAtRiskBeforeTheyAreLost() {
        application.run(context -> {
            Lease lease = context.getBean(Leases.class)
                    .tryAcquire(Key.of("a"), AcquireOptions.defaults().term(TERM))
                    .orThrow();
            store.always(Call.APPLY, StoreFault.FAIL);
            clock.advance(TERM.dividedBy(2));
            assertOnly(context, "", "");

            clock.advance(TERM.dividedBy(4));
            assertOnly(context, "leases", "leases at risk");
            assertThat(health(context, "leases").getDetails()).containsEntry("atRisk", 1);
            assertThat(lease.isHeld()).isTrue();

            store.heal();
            clock.advance(Duration.ofSeconds(5));
            assertOnly(context, "", "");
            assertThat(lease.isHeld()).isTrue();
        });
    }

    /** A fleet whose callback never returns. */
    @Configuration(proxyBeanMethods = false)
    static class StuckFleet {
        @Bean
        Fleet fleet(Leases leases) {
            return Fleet.of(leases, "stuck")
                    .options(FleetOptions.fast().closeDeadline(Duration.ofMillis(500)))
                    .handler(new UnitHandler() {
                        @Override
                        public CompletionStage<?> assigned(Unit unit) {
                            return new CompletableFuture<>();
                        }

                        @Override
                        public CompletionStage<?> revoked(Unit unit) {
                            return CompletableFuture.completedFuture(null);
                        }
                    })
                    .join();
        }
    }

    @Test
    void aStalledFleetIsDown() {
        TestApplication.inMemory().withUserConfiguration(StuckFleet.class).run(context -> {
            assertOnly(context, "", "");

            context.getBean(Fleet.class).units().create("a");
            TestApplication.await(
                    "stalled", () -> health(context, "fleets").getStatus().equals(Status.DOWN));
            assertOnly(context, "fleets", "fleet stalled");
        });
    }

    @Test
    void theChecksCanBeSwitchedOff() {
        application
                .withPropertyValues("management.health.holdfast.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(CompositeHealthContributor.class));
    }
}
