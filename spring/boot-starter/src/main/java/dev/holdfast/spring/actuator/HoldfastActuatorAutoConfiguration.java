package dev.holdfast.spring.actuator;

import dev.holdfast.fleet.Fleet;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastProperties;
import dev.holdfast.spring.leadership.ElectionManager;
import dev.holdfast.spring.tracking.LeaseTracker;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the health checks and the endpoint, where the application has Spring Boot's actuator. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnBean(ElectionManager.class)
public final class HoldfastActuatorAutoConfiguration {
    /** The health checks {@code holdfast/store}, {@code holdfast/leases} and {@code holdfast/fleets}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("holdfast")
    static class HealthConfiguration {
        @Bean
        @ConditionalOnMissingBean(name = "holdfastHealthContributor")
        CompositeHealthContributor holdfastHealthContributor(
                LeaseTracker tracker, HoldfastProperties properties, ObjectProvider<Fleet> fleets) {
            Map<String, HealthIndicator> parts = new LinkedHashMap<>();
            parts.put(
                    "store",
                    new StoreHealthIndicator(tracker, properties.health().timeout()));
            parts.put("leases", new LeaseHealthIndicator(tracker));
            parts.put("fleets", new FleetHealthIndicator(fleets));
            return CompositeHealthContributor.fromMap(parts);
        }
    }

    /** The endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class EndpointConfiguration {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint(endpoint = HoldfastEndpoint.class)
        HoldfastEndpoint holdfastEndpoint(
                HoldfastProperties properties,
                LeaseTracker tracker,
                ElectionManager elections,
                ObjectProvider<Fleet> fleets) {
            return properties.endpoint().writable()
                    ? new WritableHoldfastEndpoint(tracker, elections, fleets)
                    : new HoldfastEndpoint(tracker, elections, fleets);
        }
    }
}
