package dev.holdfast.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** Auto-configuration of clients, elections and fleets. */
@AutoConfiguration(
        // By name, as they exist in different packages of Spring Boot 4 and 3, or not at all.
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnProperty(name = "holdfast.enabled", matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
// In this order: the conditions of each look at the beans of those before it.
@Import({StoreConfiguration.class, GroupConfiguration.class, OnceConfiguration.class})
public final class HoldfastAutoConfiguration {}
