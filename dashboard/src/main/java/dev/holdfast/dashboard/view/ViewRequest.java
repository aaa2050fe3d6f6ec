package dev.holdfast.dashboard.view;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.security.ReadableNamespaces;
import dev.holdfast.support.ArgumentCheck;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The identity of a view. Streams with equal requests share one view.
 *
 * @param parameters of the URL, without the name of the view
 * @param readable the namespaces that the caller may read
 * @param mayAdminister whether the caller may change the key or fleet of the view
 */
public record ViewRequest(
        String view, Map<String, String> parameters, ReadableNamespaces readable, boolean mayAdminister) {
    private static final int LONGEST = 4_096;

    private static final Map<String, Set<String>> VIEWS = Map.of(
            "overview", Set.of(),
            "leases", Set.of("search", "state", "holder", "attribute", "page", "size"),
            "key", Set.of("namespace", "name"),
            "fleets", Set.of(),
            "fleet", Set.of("fleet"),
            "contention", Set.of());

    /**
     * Parses the parameters of a request.
     *
     * @throws IllegalArgumentException if a parameter is unknown or too long
     */
    public static ViewRequest of(ServiceRequestContext ctx, AccessGuard guard, QueryParams query) {
        String view = query.get("view", "");
        Set<String> known = VIEWS.get(view);
        if (known == null) {
            throw ArgumentCheck.bad("view", view, "overview, leases, key, fleets, fleet or contention");
        }
        Map<String, String> parameters = new TreeMap<>();
        for (String name : query.names()) {
            String value = query.get(name, "");
            if (!name.equals("view") && !known.contains(name)) {
                throw ArgumentCheck.bad("parameter", name, "one of " + known);
            }
            if (value.length() > LONGEST) {
                throw ArgumentCheck.bad(name, value.length() + " characters", "at most " + LONGEST);
            }
            if (!name.equals("view") && !value.isEmpty()) {
                parameters.put(name, value);
            }
        }
        return new ViewRequest(
                view, Map.copyOf(parameters), guard.readable(ctx), mayAdminister(ctx, guard, view, parameters));
    }

    private static boolean mayAdminister(
            ServiceRequestContext ctx, AccessGuard guard, String view, Map<String, String> parameters) {
        return switch (view) {
            case "key" -> guard.isAllowed(ctx, Access.ADMINISTER, parameters.getOrDefault("namespace", ""));
            case "fleet" ->
                guard.isAllowed(ctx, Access.ADMINISTER, FleetNames.control(parameters.getOrDefault("fleet", "")));
            default -> false;
        };
    }

    String text(String name) {
        return parameters.getOrDefault(name, "");
    }
}
