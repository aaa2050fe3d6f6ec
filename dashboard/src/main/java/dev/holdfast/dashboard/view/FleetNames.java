package dev.holdfast.dashboard.view;

import dev.holdfast.Key;
import dev.holdfast.server.security.ReadableNamespaces;
import java.util.Optional;

/** The namespaces of fleets. */
public final class FleetNames {
    static final String PREFIX = "fleet/";

    private FleetNames() {}

    /** The namespace of the orders to a fleet: a caller that may administer it may give orders. */
    public static String control(String fleet) {
        return PREFIX + fleet + "/control";
    }

    static String units(String fleet) {
        return PREFIX + fleet + "/units";
    }

    /** The fleet that a key belongs to: its plan, orders, units or workers. */
    static Optional<String> of(Key key) {
        String namespace = key.namespace();
        String anchors = Key.anchorsOf("");
        String rest = namespace.startsWith(PREFIX)
                ? namespace.substring(PREFIX.length())
                : key.isAnchor() && namespace.length() > anchors.length() && namespace.endsWith("/")
                        ? namespace.substring(anchors.length() - 1)
                        : "";
        int slash = rest.indexOf('/');
        String fleet = slash < 0 ? rest : rest.substring(0, slash);
        return fleet.isEmpty() ? Optional.empty() : Optional.of(fleet);
    }

    /** Whether a caller may see a fleet: it needs to read the plan, the units, and the anchors of the workers. */
    public static boolean isReadable(ReadableNamespaces readable, String fleet) {
        return readable.includes(PREFIX + fleet)
                && readable.includes(units(fleet))
                && readable.includes(Key.anchorsOf(fleet));
    }
}
