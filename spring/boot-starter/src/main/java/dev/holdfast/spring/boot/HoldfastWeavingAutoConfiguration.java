package dev.holdfast.spring.boot;

import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.weaving.AnnotationDefaults;
import dev.holdfast.spring.weaving.LeaseWeaver;
import dev.holdfast.spring.weaving.RunningCalls;
import dev.holdfast.spring.weaving.StoreLookup;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the annotations. It has no condition: where Holdfast is disabled, an annotated method must fail the
 * start of the application, rather than run without its lease.
 */
@AutoConfiguration
public final class HoldfastWeavingAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaseTracker holdfastLeaseTracker() {
        return new LeaseTracker();
    }

    @Bean
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static StoreLookup holdfastStoreLookup(ConfigurableListableBeanFactory beans) {
        return new StoreLookup(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RunningCalls holdfastRunningCalls() {
        return new RunningCalls();
    }

    /** Reads single properties: the bean of all properties must not be created before beans get proxies. */
    @Bean
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaseWeaver holdfastLeaseWeaver(Environment environment, StoreLookup stores, RunningCalls running) {
        HoldfastProperties.AnnotationSettings settings = Binder.get(environment)
                .bindOrCreate("holdfast.annotations", HoldfastProperties.AnnotationSettings.class);
        Boolean subclasses = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
        return new LeaseWeaver(
                new AnnotationDefaults(settings.waitFor(), settings.term()), stores, running, subclasses);
    }
}
