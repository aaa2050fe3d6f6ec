package dev.holdfast.spring.boot;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The bean of type {@link Once}, if there is one client to use. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Once.class)
class OnceConfiguration {
    @Bean
    @ConditionalOnSingleCandidate(Leases.class)
    Once holdfastOnce(Leases leases, HoldfastProperties properties) {
        return Once.with(
                leases, AcquireOptions.defaults().term(properties.once().term()));
    }
}
