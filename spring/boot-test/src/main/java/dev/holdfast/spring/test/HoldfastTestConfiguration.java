package dev.holdfast.spring.test;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.LeasesCustomizer;
import dev.holdfast.spring.LeasesOpener;
import dev.holdfast.testkit.ManualClock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of {@link HoldfastTest}. */
@Configuration(proxyBeanMethods = false)
class HoldfastTestConfiguration {
    @Bean
    ManualClock holdfastClock() {
        return new ManualClock();
    }

    @Bean
    LeasesOpener holdfastMemoryOpener() {
        return (store, options) -> Holdfast.open("memory:", options);
    }

    @Bean
    LeasesCustomizer holdfastClockCustomizer(ManualClock holdfastClock) {
        return (store, options) -> options.environment(holdfastClock);
    }

    @Bean
    ClosingClock holdfastClosingClock(ManualClock holdfastClock) {
        return new ClosingClock(holdfastClock);
    }
}
