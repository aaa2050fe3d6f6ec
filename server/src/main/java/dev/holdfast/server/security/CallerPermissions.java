package dev.holdfast.server.security;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The permissions of one caller by namespace. Permission to lease includes permission to read; permission to administer
 * includes both.
 *
 * @param name the caller's name for logs and error messages; it is not a proof of identity
 */
record CallerPermissions(String name, Map<Access, List<NamespaceRange>> namespaces) {
    /** The namespace in which sessions keep their anchors: see {@link Key#ofAnchor}. */
    private static final String ANCHORS = Key.ofAnchor(Holder.of("any")).namespace();

    /** A fleet's planner and its units are in the namespace {@code fleet/NAME} and below it. */
    private static final String FLEETS = "fleet/";

    private static final Map<String, Access> WORDS =
            Map.of("read", Access.READ, "lease", Access.LEASE, "admin", Access.ADMINISTER);

    /** Permissions for everything. */
    static CallerPermissions all(String name) {
        return new CallerPermissions(name, Map.of(Access.ADMINISTER, List.of(new NamespaceRange("", true))));
    }

    /** Parses words such as {@code read=*} and {@code lease=jobs,etl/*}. */
    static CallerPermissions parse(String name, List<String> words) {
        Map<Access, List<NamespaceRange>> namespaces = new EnumMap<>(Access.class);
        for (String word : words) {
            int equals = word.indexOf('=');
            Access access = equals < 0 ? null : WORDS.get(word.substring(0, equals));
            if (access == null) {
                // Without an equals sign it may be a misplaced secret, which must not be shown.
                String shown = equals < 0 ? word.length() + " characters" : word;
                throw ArgumentCheck.bad("permission", shown, "read=, lease= or admin=, and namespaces");
            }
            for (String pattern : word.substring(equals + 1).split(",", -1)) {
                namespaces.computeIfAbsent(access, any -> new ArrayList<>()).add(NamespaceRange.parse(pattern));
            }
        }
        if (namespaces.isEmpty()) {
            throw ArgumentCheck.bad("permissions", "none", "at least one of read=, lease= and admin=");
        }
        return new CallerPermissions(name, namespaces);
    }

    boolean allow(Access access, String namespace) {
        return matches(access, namespace) || allowAnchor(access, namespace);
    }

    private boolean matches(Access access, String namespace) {
        return granted(access).stream().anyMatch(range -> range.includes(namespace));
    }

    /**
     * Whether the caller has access to a namespace of anchors. An anchor by itself gives its holder no access, so every
     * caller with a permission to lease may open a session. A caller that may lease in the namespace of a fleet may be
     * a worker of that fleet. It may therefore lease and read the anchors of the fleet's workers.
     */
    private boolean allowAnchor(Access access, String namespace) {
        if (namespace.equals(ANCHORS) || namespace.equals(ownAnchors())) {
            return access == Access.LEASE && leasesAnything();
        }
        boolean isOfGroup = namespace.startsWith(ANCHORS + "/") && namespace.endsWith("/");
        String group = isOfGroup ? namespace.substring(ANCHORS.length() + 1, namespace.length() - 1) : "";
        return !group.isEmpty()
                && Key.anchorsOf(group).equals(namespace)
                && group.indexOf('/') < 0
                && access != Access.ADMINISTER
                && matches(Access.LEASE, FLEETS + group);
    }

    private String ownAnchors() {
        return Key.ofAnchor(Holder.of("any"), AccessGuard.nameInKey(name)).namespace();
    }

    boolean allowAll(Access access, String prefix) {
        return granted(access).stream().anyMatch(range -> range.includesAll(prefix));
    }

    boolean allowSome(Access access, String prefix) {
        return granted(access).stream().anyMatch(range -> range.includesSome(prefix))
                || (access == Access.READ && allow(access, prefix));
    }

    /** The ranges of namespaces beginning with {@code prefix} to which the caller has this access. */
    List<NamespaceRange> ranges(Access access, String prefix) {
        List<NamespaceRange> ranges = granted(access).stream()
                .filter(range -> range.includesSome(prefix))
                .map(range -> range.within(prefix))
                .toList();
        // A worker may watch the anchors of its fleet.
        boolean onlyAnchors = ranges.isEmpty() && allowSome(access, prefix);
        return onlyAnchors ? List.of(new NamespaceRange(prefix, false)) : ranges;
    }

    private boolean leasesAnything() {
        return !granted(Access.LEASE).isEmpty();
    }

    /** The ranges that grant this access, directly or by a higher one. */
    private List<NamespaceRange> granted(Access access) {
        return namespaces.entrySet().stream()
                .filter(entry -> entry.getKey().compareTo(access) >= 0)
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }
}
