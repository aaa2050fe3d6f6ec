package dev.holdfast.spring.boot;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.spring.FleetWork;
import dev.holdfast.spring.fleets.FleetManager;
import dev.holdfast.spring.leadership.ElectionManager;
import dev.holdfast.spring.leadership.LeaderMethods;
import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.weaving.RunningCalls;
import dev.holdfast.spring.weaving.StoreLookup;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Elections, fleets and the order of a shutdown. */
@Configuration(proxyBeanMethods = false)
@Import(NamedBeanRegistrar.Groups.class)
class GroupConfiguration {
    @Bean
    @ConditionalOnMissingBean
    LeaderMethods holdfastLeaderMethods(ConfigurableListableBeanFactory beans) {
        return new LeaderMethods(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    ElectionManager holdfastElectionManager(
            HoldfastProperties properties,
            StoreLookup stores,
            LeaderMethods methods,
            ApplicationEventPublisher events) {
        Map<String, ElectionManager.ElectionPlan> plans = new LinkedHashMap<>();
        properties.elections().forEach((name, election) -> plans.put(name, plan(name, election)));
        return new ElectionManager(plans, stores, methods, events);
    }

    private static ElectionManager.ElectionPlan plan(String name, HoldfastProperties.ElectionSettings election) {
        Key key = Key.of(election.namespace(), election.key() == null ? name : election.key());
        return new ElectionManager.ElectionPlan(key, AcquireOptions.defaults().term(election.term()), election.store());
    }

    @Bean
    @ConditionalOnMissingBean
    FleetManager holdfastFleetManager(
            HoldfastProperties properties, StoreLookup stores, ObjectProvider<FleetWork> works) {
        Map<String, FleetManager.FleetPlan> plans = new LinkedHashMap<>();
        properties
                .fleets()
                .forEach((name, fleet) -> plans.put(
                        name,
                        new FleetManager.FleetPlan(
                                fleet.enabled(), fleet.store(), builder -> configure(builder, fleet))));
        return new FleetManager(plans, stores, works);
    }

    private static void configure(FleetBuilder builder, HoldfastProperties.FleetSettings fleet) {
        FleetOptions options = FleetOptions.defaults().term(fleet.term());
        builder.options(fleet.closeDeadline() == null ? options : options.closeDeadline(fleet.closeDeadline()));
        if (fleet.worker() != null) {
            builder.worker(fleet.worker());
        }
        if (fleet.maxUnits() != null) {
            builder.maxUnits(fleet.maxUnits());
        }
        fleet.labels().forEach(builder::label);
    }

    @Bean
    @ConditionalOnMissingBean
    HandOverLifecycle holdfastHandOverLifecycle(
            ElectionManager elections, FleetManager fleets, ConfigurableListableBeanFactory beans) {
        return new HandOverLifecycle(elections, fleets, beans);
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseReleaseLifecycle holdfastLeaseReleaseLifecycle(LeaseTracker tracker, RunningCalls calls) {
        return new LeaseReleaseLifecycle(tracker, calls);
    }
}
