package dev.holdfast.spring.tracking;

import dev.holdfast.Leases;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Wraps every {@link Leases} bean in {@link TrackedLeases}, including beans that the application defines itself. */
public final class LeaseTracker implements BeanPostProcessor, PriorityOrdered {
    /** The name of the bean of {@code holdfast.store}. */
    public static final String DEFAULT_BEAN = "leases";

    /** The beans of {@code holdfast.stores.NAME} are named {@code NAMELeases}. */
    public static final String BEAN_SUFFIX = "Leases";

    private final List<TrackedLeases> clients = new CopyOnWriteArrayList<>();

    /** First, so that other post-processors see the bean that the application uses. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof Leases leases) || bean instanceof TrackedLeases) {
            return bean;
        }
        TrackedLeases tracked = new TrackedLeases(storeName(beanName), leases);
        clients.add(tracked);
        return tracked;
    }

    /** The name of a store, as users know it, from the name of its bean. */
    public static String storeName(String beanName) {
        if (beanName.equals(DEFAULT_BEAN)) {
            return "default";
        }
        boolean isNamed = beanName.endsWith(BEAN_SUFFIX) && beanName.length() > BEAN_SUFFIX.length();
        return isNamed ? beanName.substring(0, beanName.length() - BEAN_SUFFIX.length()) : beanName;
    }

    /** The clients of this application. */
    public List<TrackedLeases> clients() {
        return List.copyOf(clients);
    }
}
