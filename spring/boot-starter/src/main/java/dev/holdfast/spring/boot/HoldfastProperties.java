package dev.holdfast.spring.boot;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code holdfast.*}.
 *
 * @param enabled whether Holdfast is configured; if not, the application must have no annotated methods
 * @param store the store: {@code datasource}, or a URL such as {@code postgresql://user@host/database}; there is no default
 * @param holder the name of this instance in leases; by default the user, the host and the process
 * @param operationTimeout the time after which a request to the store fails
 * @param stores further stores by name, each a bean of type Leases with that qualifier
 * @param annotations defaults of the annotations
 * @param once settings of the bean of type Once
 * @param elections elections by name, each a bean of type LeaderElection with that qualifier
 * @param fleets fleets by name, each a bean of type Fleet with that qualifier
 * @param endpoint settings of the actuator endpoint
 * @param health settings of the health checks
 * @param shedlock settings for applications that use ShedLock
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String store,
        @Nullable String holder,
        @DefaultValue("10s") Duration operationTimeout,
        @DefaultValue Map<String, NamedStore> stores,
        @DefaultValue AnnotationSettings annotations,
        @DefaultValue OnceSettings once,
        @DefaultValue Map<String, ElectionSettings> elections,
        @DefaultValue Map<String, FleetSettings> fleets,
        @DefaultValue EndpointSettings endpoint,
        @DefaultValue HealthSettings health,
        @DefaultValue ShedLockSettings shedlock) {
    /**
     * A further store.
     *
     * @param store the store: {@code datasource}, {@code datasource:BEAN}, or a URL
     */
    public record NamedStore(@Nullable String store) {}

    /**
     * Defaults of the annotations.
     *
     * @param waitFor how long a method waits for its key
     * @param term the term of the lease of a method
     */
    public record AnnotationSettings(
            @DefaultValue("10s") Duration waitFor,
            @DefaultValue("30s") Duration term) {}

    /**
     * Settings of the bean of type Once.
     *
     * @param term the term of its leases
     */
    public record OnceSettings(@DefaultValue("30s") Duration term) {}

    /**
     * An election.
     *
     * @param key the name of the key; by default the name of the election
     * @param namespace the namespace of the key
     * @param term how long a leader may go without renewing before another is elected
     * @param store the name of the store; by default the one of {@code holdfast.store}
     */
    public record ElectionSettings(
            @Nullable String key,
            @DefaultValue("") String namespace,
            @DefaultValue("30s") Duration term,
            @DefaultValue("") String store) {}

    /**
     * A fleet.
     *
     * @param enabled whether this instance joins the fleet
     * @param worker the name of this worker; by default a unique name
     * @param term how long a worker may go without renewing before its units go to others
     * @param maxUnits the most units of this worker; by default unlimited
     * @param labels the labels of this worker, such as its zone
     * @param closeDeadline how long the hand-over at a shutdown may take; by default three terms
     * @param store the name of the store; by default the one of {@code holdfast.store}
     */
    public record FleetSettings(
            @DefaultValue("true") boolean enabled,
            @Nullable String worker,
            @DefaultValue("10s") Duration term,
            @Nullable Integer maxUnits,
            @DefaultValue Map<String, String> labels,
            @Nullable Duration closeDeadline,
            @DefaultValue("") String store) {}

    /**
     * Settings of the actuator endpoint.
     *
     * @param writable whether the endpoint can release and evict leases
     */
    public record EndpointSettings(@DefaultValue("false") boolean writable) {}

    /**
     * Settings of the health checks.
     *
     * @param timeout how long a store may take to answer before it counts as unreachable
     */
    public record HealthSettings(@DefaultValue("2s") Duration timeout) {}

    /**
     * Settings for applications that use ShedLock.
     *
     * @param enabled whether the annotation SchedulerLock takes its locks from Holdfast
     * @param lockAtMostFor the longest time of a lock whose annotation does not set one
     */
    public record ShedLockSettings(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10m") Duration lockAtMostFor) {}
}
