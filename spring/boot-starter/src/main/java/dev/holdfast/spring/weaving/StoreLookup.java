package dev.holdfast.spring.weaving;

import dev.holdfast.Leases;
import dev.holdfast.spring.HoldfastSetupException;
import dev.holdfast.spring.tracking.LeaseTracker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The clients of an application by the names of their stores. */
public final class StoreLookup {
    private final ConfigurableListableBeanFactory beans;
    private final Map<String, Leases> found = new ConcurrentHashMap<>();

    public StoreLookup(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The client of a store.
     *
     * @param store as in {@code holdfast.stores.NAME}, or the name of a bean; empty for the only or primary client
     * @throws HoldfastSetupException if there is none
     */
    public Leases find(String store) {
        Leases known = found.get(store);
        if (known != null) {
            return known;
        }
        String problem = problem(store);
        if (problem != null) {
            throw new HoldfastSetupException(problem, "Configure the store, or name one of the others.");
        }
        // Not computeIfAbsent: the creation of a bean may look up another store.
        Leases leases = store.isEmpty() ? beans.getBean(Leases.class) : beans.getBean(beanName(store), Leases.class);
        found.put(store, leases);
        return leases;
    }

    /** Why there is no client of this store; null if there is one. It creates no bean. */
    @Nullable
    String problem(String store) {
        String[] names = beans.getBeanNamesForType(Leases.class, true, false);
        if (!store.isEmpty()) {
            boolean known = Stream.of(names).anyMatch(beanName(store)::equals);
            return known ? null : "store: " + store + " (expected: one of " + stores(names) + ")";
        }
        if (names.length == 0) {
            return "there is no bean of type Leases; perhaps holdfast.enabled is false";
        }
        boolean unique = names.length == 1 || Stream.of(names).anyMatch(this::isPrimary);
        return unique
                ? null
                : "there are several stores and none of them is primary (expected: the name of one of " + stores(names)
                        + ")";
    }

    private boolean isPrimary(String name) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(name);
        return definition.isPrimary();
    }

    private String beanName(String store) {
        if (store.equals("default")) {
            return LeaseTracker.DEFAULT_BEAN;
        }
        String named = store + LeaseTracker.BEAN_SUFFIX;
        return beans.containsBean(named) ? named : store;
    }

    private static String stores(String[] names) {
        return Stream.of(names).map(LeaseTracker::storeName).collect(Collectors.joining(", ", "[", "]"));
    }
}
