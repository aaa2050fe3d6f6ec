package dev.holdfast.spring.bridges;

import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.micrometer.LeaseMeters;
import dev.holdfast.micrometer.ObservedLeases;
import dev.holdfast.spring.boot.ClientInstrumentation;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of meters and observations, where the application has Micrometer. */
@AutoConfiguration(before = HoldfastAutoConfiguration.class)
@ConditionalOnClass({LeaseMeters.class, MeterRegistry.class, ObservationRegistry.class})
public final class MicrometerAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ClientInstrumentation holdfastClientInstrumentation(
            ObjectProvider<MeterRegistry> meters, ObjectProvider<ObservationRegistry> observations) {
        return new MicrometerInstrumentation(meters, observations);
    }

    /** Meters with the name of the store as a tag, and one observation for each acquire. Keys are never tags. */
    private record MicrometerInstrumentation(
            ObjectProvider<MeterRegistry> meters, ObjectProvider<ObservationRegistry> observations)
            implements ClientInstrumentation {
        @Override
        public LeaseListener listener(String store) {
            MeterRegistry registry = meters.getIfAvailable();
            return registry == null
                    ? LeaseListener.NONE
                    : LeaseMeters.builder(registry)
                            .tags(Tags.of("store", store))
                            .build();
        }

        @Override
        public Leases wrap(Leases leases) {
            ObservationRegistry registry = observations.getIfAvailable();
            return registry == null ? leases : ObservedLeases.of(leases, registry);
        }
    }
}
