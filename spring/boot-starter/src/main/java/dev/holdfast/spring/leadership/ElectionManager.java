package dev.holdfast.spring.leadership;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.Lease;
import dev.holdfast.spring.weaving.StoreLookup;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** The elections of the application: those of properties, and those of {@code @Leader} methods. */
public final class ElectionManager {
    private static final Logger log = LoggerFactory.getLogger(ElectionManager.class);

    private final Map<String, ElectionPlan> plans;
    private final StoreLookup stores;
    private final LeaderMethods methods;
    private final ApplicationEventPublisher events;
    private final CountDownLatch started = new CountDownLatch(1);
    private final Map<String, LeaderElection> elections = new TreeMap<>();

    /**
     * The settings of an election.
     *
     * @param store the name of the store; empty for the default one
     */
    public record ElectionPlan(Key key, AcquireOptions options, String store) {}

    public ElectionManager(
            Map<String, ElectionPlan> plans,
            StoreLookup stores,
            LeaderMethods methods,
            ApplicationEventPublisher events) {
        this.plans = Map.copyOf(plans);
        this.stores = stores;
        this.methods = methods;
        this.events = events;
    }

    /** The election of this name. The first call begins to contend. */
    public synchronized LeaderElection open(String name) {
        return elections.computeIfAbsent(name, this::contend);
    }

    private LeaderElection contend(String name) {
        ElectionPlan plan = plans.getOrDefault(name, new ElectionPlan(Key.of(name), AcquireOptions.defaults(), ""));
        return LeaderElection.of(stores.find(plan.store()), plan.key())
                .options(plan.options())
                .onFailed(error -> log.warn("{}: the election failed for now", name, error))
                .lead(lease -> lead(name, lease));
    }

    private void lead(String name, Lease lease) throws Exception {
        started.await(); // A bean may need the election before the application has started.
        new Leadership(name, lease, methods, events).lead();
    }

    /** Begins to contend in all elections. Events of earlier elections are delivered from now on. */
    public void start() {
        started.countDown();
        plans.keySet().forEach(this::open);
        methods.elections().forEach(this::open);
    }

    /** The elections that this instance contends in, by name. */
    public synchronized Map<String, LeaderElection> elections() {
        return new TreeMap<>(elections);
    }

    /** Gives all leaderships up. */
    public void close() {
        elections().values().forEach(LeaderElection::close);
    }
}
