package dev.holdfast;

import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import org.jspecify.annotations.Nullable;

/**
 * The name of the thing that is leased: a namespace, which may be empty, and a name.
 *
 * <p>Keys are ordered by namespace, then name, each by code point. That is the order of their UTF-8 bytes, so a store
 * that compares bytes pages in the same order.
 */
public record Key(String namespace, String name) implements Comparable<Key> {
    /**
     * Namespaces with this prefix are reserved for Holdfast (anchors, plans of a fleet). Users may read them, but only
     * Holdfast's own methods lease such keys.
     */
    public static final String RESERVED_PREFIX = "~";

    /** The namespace of anchors; the name is the holder's. */
    private static final String ANCHORS = RESERVED_PREFIX + "anchors";

    public Key {
        ArgumentCheck.text("namespace", namespace, SizeLimits.NAMESPACE_BYTES);
        ArgumentCheck.nonEmptyText("name", name, SizeLimits.NAME_BYTES);
    }

    /** A key in the empty namespace. */
    public static Key of(String name) {
        return new Key("", name);
    }

    public static Key of(String namespace, String name) {
        return new Key(namespace, name);
    }

    /**
     * The key of the anchor that {@code holder} holds while it is alive. Holders of one group, {@code group/name}, have
     * their anchors in one namespace, so that the anchors of a group can be listed without all others.
     */
    public static Key ofAnchor(Holder holder) {
        String name = holder.name();
        int slash = name.indexOf('/');
        if (slash <= 0 || slash == name.length() - 1) {
            return new Key(ANCHORS, name);
        }
        String namespace = anchorsOf(name.substring(0, slash));
        boolean fits = ArgumentCheck.utf8Length(namespace) <= SizeLimits.NAMESPACE_BYTES;
        return fits ? new Key(namespace, name.substring(slash + 1)) : new Key(ANCHORS, name);
    }

    /** The namespace of the anchors of a group. Its end keeps it from being a prefix of another group's. */
    public static String anchorsOf(String group) {
        return ANCHORS + "/" + group + "/";
    }

    /**
     * The key of an anchor whose name a server keeps apart from equal names of other callers. No group has this
     * namespace, as none has an empty name.
     *
     * @param caller the caller that the name belongs to
     */
    public static Key ofAnchor(Holder holder, String caller) {
        return new Key(anchorsOf("") + caller, holder.name());
    }

    /** Whether {@code holder} may hold this key as its anchor. */
    public boolean isAnchorOf(Holder holder) {
        return equals(ofAnchor(holder)) || (namespace.startsWith(anchorsOf("")) && name.equals(holder.name()));
    }

    /** Whether this is the key of an anchor whose name has no group. */
    public boolean isUngroupedAnchor() {
        return namespace.equals(ANCHORS);
    }

    /** Whether this is the key of an anchor. */
    public boolean isAnchor() {
        return namespace.equals(ANCHORS) || namespace.startsWith(ANCHORS + "/");
    }

    /** Whether this key is reserved, see {@link #RESERVED_PREFIX}. */
    public boolean isReserved() {
        return namespace.startsWith(RESERVED_PREFIX);
    }

    // Written by hand: the generated methods of a record are linked at their first call. That takes a short-lived
    // process longer than all its other work with keys and ids.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Key that && namespace.equals(that.namespace) && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return 31 * namespace.hashCode() + name.hashCode();
    }

    @Override
    public int compareTo(Key other) {
        int byNamespace = ArgumentCheck.compareCodePoints(namespace, other.namespace);
        return byNamespace != 0 ? byNamespace : ArgumentCheck.compareCodePoints(name, other.name);
    }

    /**
     * The namespace, a slash and the name; the name alone if the namespace is empty. No two keys look the same: slashes in
     * the namespace are shown as {@code %2F}, and a name with slashes in the empty namespace begins with one.
     */
    @Override
    public String toString() {
        if (namespace.isEmpty()) {
            return name.indexOf('/') < 0 ? name : "/" + name;
        }
        return namespace.replace("%", "%25").replace("/", "%2F") + "/" + name;
    }
}
