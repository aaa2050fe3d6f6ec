package dev.holdfast.fleet.internal.control;

import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;

/**
 * The keys of a fleet's orders. They are in namespaces of their own, so that a server can demand the permission to
 * administer for changes of them.
 *
 * <p>There is one entry per order. It is in force while its attribute {@link #IN_FORCE} is true, whatever its state. It
 * is stored as done, which no clean-up removes, and its last grant names the client that gave the order, and the time.
 */
public record ControlKeys(String fleet) {
    /** Whether the order is in force. Clean-up never removes an entry with this attribute set to true. */
    public static final String IN_FORCE = "~control";

    static final String REASON = "reason";

    /** The order in one word, for the audit log of a server. */
    static final String ACTION = "action";

    /** The worker that a unit is moved to. */
    static final String WORKER = "worker";

    /** Set by a server: the authenticated caller that gave the order. */
    static final String CALLER = "caller";

    private String namespace() {
        return "fleet/" + fleet + "/control";
    }

    /**
     * Held while a client changes orders, so that planners detect that they changed or are about to change. It is not
     * among the orders, because planners hold it, too, when they delete a move that is over.
     */
    public Key mark() {
        return Key.of("fleet/" + fleet, "control");
    }

    public Key freeze() {
        return Key.of(namespace(), "freeze");
    }

    public Key paused(String unit) {
        return Key.of(namespace() + "/paused", unit);
    }

    public Key drained(String worker) {
        return Key.of(namespace() + "/drained", worker);
    }

    public Key move(String unit) {
        return Key.of(namespace() + "/moves", unit);
    }

    /** Selects all orders, and possibly other keys. */
    LeaseFilter filter() {
        return LeaseFilter.namespacePrefix(namespace());
    }

    /** Returns the last part of a key's namespace: empty for the freeze, or {@code /paused} and the like. */
    String section(Key key) {
        return key.namespace().startsWith(namespace())
                ? key.namespace().substring(namespace().length())
                : "?";
    }
}
