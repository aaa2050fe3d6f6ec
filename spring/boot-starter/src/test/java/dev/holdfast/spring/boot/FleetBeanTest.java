package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.spring.FleetWork;
import dev.holdfast.spring.TestApplication;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class FleetBeanTest {
    static class Shards implements FleetWork {
        final Set<String> working = ConcurrentHashMap.newKeySet();

        @Override
        public String fleet() {
            return "shards";
        }

        @Override
        public void assigned(Unit unit) {
            working.add(unit.name());
        }

        @Override
        public void revoked(Unit unit) {
            working.remove(unit.name());
        }

        @Override
        public void configure(FleetBuilder builder) {
            builder.options(FleetOptions.fast());
        }
    }

    @Test
    void theApplicationJoinsItsFleetAndHandsOverAtTheEnd() {
        Shards shards = new Shards();
        TestApplication.inMemory()
                .withPropertyValues(
                        "holdfast.fleets.shards.worker=w1",
                        "holdfast.fleets.shards.max-units=5",
                        "holdfast.fleets.shards.labels.zone=a")
                .withBean(Shards.class, () -> shards)
                .run(context -> {
                    Fleet fleet = context.getBean(Fleet.class);
                    assertThat(fleet.worker()).isEqualTo("w1");
                    assertThat(context.getBean("shardsFleet")).isSameAs(fleet);

                    fleet.units().create("a", "b");
                    TestApplication.await("assigned", () -> shards.working.size() == 2);
                    assertThat(fleet.status().workers().get(0).labels()).containsEntry("zone", "a");
                });
        assertThat(shards.working).isEmpty();
    }

    @Test
    void aFleetWithoutWorkFailsTheStart() {
        TestApplication.inMemory()
                .withPropertyValues("holdfast.fleets.shards.worker=w1")
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("The fleet 'shards' has 0 beans of type FleetWork"));
    }

    @Test
    void workWithoutAFleetFailsTheStart() {
        TestApplication.inMemory()
                .withBean(Shards.class)
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("'shards' is not configured"));
    }

    @Test
    void aDisabledFleetIsNotJoined() {
        TestApplication.inMemory()
                .withPropertyValues("holdfast.fleets.shards.enabled=false")
                .withBean(Shards.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Fleet.class));
    }
}
