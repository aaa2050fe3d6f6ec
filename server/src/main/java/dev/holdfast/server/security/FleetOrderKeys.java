package dev.holdfast.server.security;

import dev.holdfast.Key;
import dev.holdfast.server.security.AccessGuard.Access;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys of orders to fleets, in {@code fleet/NAME/control} and below it: which units are paused, which workers are
 * drained, and so on. Workers may read them. Only administrators may change them, although workers may lease in all
 * other namespaces of their fleet.
 */
public final class FleetOrderKeys {
    private static final Pattern ORDERS = Pattern.compile("(fleet/[^/]+)/control(/.*)?", Pattern.DOTALL);

    private FleetOrderKeys() {}

    public static boolean isOrder(Key key) {
        return isOfOrders(key.namespace());
    }

    private static boolean isOfOrders(String namespace) {
        return namespace.startsWith("fleet/") && ORDERS.matcher(namespace).matches();
    }

    /** The access that a request for {@code access} needs in this namespace. */
    static Access needed(Access access, String namespace) {
        return access == Access.LEASE && isOfOrders(namespace) ? Access.ADMINISTER : access;
    }

    /**
     * The namespace in which a caller must be allowed to lease in order to delete {@code key}; empty if it must be allowed
     * to administer the key. A planner, which any worker may be, carries out moves, and deletes those that are over.
     */
    public static String deletableBy(Key key) {
        Matcher orders = ORDERS.matcher(key.namespace());
        return orders.matches() && "/moves".equals(orders.group(2)) ? orders.group(1) : "";
    }
}
