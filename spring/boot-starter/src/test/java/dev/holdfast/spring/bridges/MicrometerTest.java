package dev.holdfast.spring.bridges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Leases;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.TestApplication;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;

class MicrometerTest {
    static class Work {
        @Leased(key = "secret-#{#id}")
        public void run(int id) {}
    }

    @Test
    void metersHaveTheStoreAndNoKeys() {
        TestApplication.inMemory()
                .withConfiguration(AutoConfigurations.of(MicrometerAutoConfiguration.class))
                .withPropertyValues("holdfast.stores.second.store=memory:")
                .withBean(SimpleMeterRegistry.class)
                .withBean(TestObservationRegistry.class, TestObservationRegistry::create)
                .withBean(Work.class)
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    context.getBean(Work.class).run(7);
                    context.getBean("secondLeases", Leases.class)
                            .tryAcquire("x")
                            .orThrow();

                    assertThat(meters.getMeters())
                            .isNotEmpty()
                            .allSatisfy(meter ->
                                    assertThat(meter.getId().getTag("store")).isIn("default", "second"));
                    assertThat(meters.getMeters())
                            .extracting(Meter::getId)
                            .noneMatch(id -> id.toString().contains("secret"));
                    TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
                            .hasNumberOfObservationsEqualTo(2)
                            .hasAnObservation(
                                    observation -> observation.hasHighCardinalityKeyValueWithKey("holdfast.fence"));
                });
    }

    @Test
    void withoutRegistriesNothingIsMeasured() {
        TestApplication.inMemory()
                .withConfiguration(AutoConfigurations.of(MicrometerAutoConfiguration.class))
                .run(context -> assertThat(
                                context.getBean(Leases.class).tryAcquire("a").isGranted())
                        .isTrue());
    }
}
