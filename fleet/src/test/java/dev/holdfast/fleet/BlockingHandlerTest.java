package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** User code that blocks or closes its own fleet, on the default threads. */
@Timeout(120)
class BlockingHandlerTest {
    /** A term that does not run out even on a slow machine, and frequent polls. */
    private static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(Duration.ofMinutes(2))
            .poll(Duration.ofMillis(20))
            .quiet(Duration.ofMillis(50));

    private static final long PATIENCE_SECONDS = 60;

    private final Leases leases = Holdfast.open("memory:");
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Fleet> fleets = new ArrayList<>();

    @AfterEach
    void close() {
        end.countDown();
        fleets.forEach(Fleet::close);
        leases.close();
    }

    private FleetBuilder worker(String name) {
        return Fleet.of(leases, "crew").worker(name).options(OPTIONS);
    }

    private Fleet join(FleetBuilder builder) {
        Fleet fleet = builder.join();
        fleets.add(fleet);
        return fleet;
    }

    private static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Set<String> held(Fleet fleet) {
        return fleet.held().stream().map(Unit::name).collect(Collectors.toSet());
    }

    @Test
    void callbacksOfSeveralUnitsRunAtTheSameTime() {
        Fleet.units(leases, "crew").create(FleetScene.names(12), dev.holdfast.Attributes.NONE);
        CountDownLatch stopping = new CountDownLatch(6);
        Set<String> metAll = ConcurrentHashMap.newKeySet();
        Fleet ann = join(worker("ann").onRevoked(unit -> {
            stopping.countDown();
            if (await(stopping)) {
                metAll.add(unit.name());
            }
        }));
        until(() -> ann.held().size() == 12);

        Fleet bob = join(worker("bob"));
        until(() -> bob.held().size() == 6);

        assertThat(metAll).hasSize(6).isEqualTo(held(bob));
    }

    @Test
    void aBlockedStartDelaysNoOtherUnitAndMakesTheWorkerUnhealthy() {
        Fleet.units(leases, "crew").create("stuck", "a", "b", "c", "d");
        Fleet ann = join(worker("ann")
                .options(OPTIONS.startDeadline(Duration.ofMillis(200)))
                .onAssigned(unit -> {
                    if (unit.name().equals("stuck")) {
                        await(end);
                    }
                }));
        until(() -> held(ann).containsAll(Set.of("a", "b", "c", "d")));
        until(() -> ann.health().reason().startsWith("onAssigned of unit stuck has run for "));
        assertThat(ann.isHealthy()).isFalse();

        Fleet bob = join(worker("bob"));
        until(() -> !bob.held().isEmpty());

        end.countDown();
        until(ann::isHealthy);
    }

    @Test
    void closingInsideACallbackStartsToCloseAndReturns() {
        Fleet.units(leases, "crew").create("a", "b");
        CountDownLatch joined = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        Fleet ann = join(worker("ann").onAssigned(unit -> {
            await(joined);
            fleets.get(0).close();
            returned.countDown();
        }));
        joined.countDown();

        assertThat(await(returned)).isTrue();
        ann.close();
        assertThat(ann.held()).isEmpty();
        assertThat(ann.health().reason()).isEqualTo("closed");
    }

    @Test
    void closingInsideTheCallbackThatStopsAUnitOfAClosingFleetReturns() {
        Fleet.units(leases, "crew").create("a", "b");
        CountDownLatch started = new CountDownLatch(2);
        CountDownLatch returned = new CountDownLatch(2);
        Fleet ann = join(worker("ann").onAssigned(unit -> started.countDown()).onRevoked(unit -> {
            fleets.get(0).close();
            returned.countDown();
        }));
        assertThat(await(started)).isTrue(); // Work that has not begun is not stopped.

        ann.close();

        assertThat(await(returned)).isTrue();
        assertThat(ann.held()).isEmpty();
    }

    @Test
    void closingInsideAListenerStartsToCloseAndReturns() {
        Fleet.units(leases, "crew").create("a");
        CountDownLatch joined = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        Fleet ann = join(worker("ann").listener(new FleetListener() {
            @Override
            public void onPlanned(int placed, int moved, int unplaced) {
                if (placed > 0) {
                    await(joined);
                    fleets.get(0).close();
                    returned.countDown();
                }
            }
        }));
        joined.countDown();

        assertThat(await(returned)).isTrue();
        ann.close();
        assertThat(ann.health().reason()).isEqualTo("closed");
    }
}
