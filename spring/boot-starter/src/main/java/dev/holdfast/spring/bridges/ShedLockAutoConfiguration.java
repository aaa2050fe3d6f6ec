package dev.holdfast.spring.bridges;

import dev.holdfast.Leases;
import dev.holdfast.shedlock.HoldfastLockProvider;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.ExtendedLockConfigurationExtractor;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of ShedLock, where the application has its annotations: {@code @SchedulerLock} then takes its locks from
 * Holdfast. It changes nothing for an application that has a lock provider of its own.
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({LockProvider.class, EnableSchedulerLock.class, HoldfastLockProvider.class})
@ConditionalOnProperty(name = "holdfast.shedlock.enabled", matchIfMissing = true)
public final class ShedLockAutoConfiguration {
    /** The lock provider. */
    @Order(1)
    @Configuration(proxyBeanMethods = false)
    static class ProviderConfiguration {
        @Bean
        @ConditionalOnMissingBean(LockProvider.class)
        @ConditionalOnSingleCandidate(Leases.class)
        HoldfastLockProvider holdfastLockProvider(Leases leases) {
            return new HoldfastLockProvider(leases);
        }
    }

    /** The interceptor of ShedLock, unless the application has enabled it already. */
    @Order(2)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(HoldfastLockProvider.class)
    @ConditionalOnMissingBean(ExtendedLockConfigurationExtractor.class)
    @EnableSchedulerLock(defaultLockAtMostFor = "${holdfast.shedlock.lock-at-most-for:10m}")
    static class InterceptorConfiguration {}
}
