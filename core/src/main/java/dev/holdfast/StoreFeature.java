package dev.holdfast;

/**
 * A feature of Holdfast's own stores. A store in the table of another tool may lack it, because that tool has no place for it, or
 * would destroy it.
 */
public enum StoreFeature {
    /** A fence with every grant. */
    FENCE("give a fence, as nothing in its table grows with every grant", "guard the resource by time (isHeld), or"),
    /** A fence that grows even after its key was deleted. */
    FENCE_OF_DELETED("keep the fence of a deleted key", "do not delete keys whose fences matter, or"),
    /** Keys that are done. */
    DONE("mark a key as done, as the other tool would grant it again", "record elsewhere what is done, or"),
    /** The user's attributes on a key. */
    ATTRIBUTES("keep attributes, as the other tool drops them with its next grant", "keep them elsewhere, or"),
    /** Leases that keep others alive. */
    ANCHORS("hold leases through an anchor, as the other tool would take them", "renew each lease itself, or"),
    /** Keys with a namespace. */
    NAMESPACES("tell namespaces apart", "put what tells keys apart into their names, or"),
    /** A token that stays the same when the lease is renewed. */
    LASTING_TOKEN(
            "renew a lease and keep its token",
            "renew it through a client on the store, which returns the new token, or"),
    /** Removal of keys that have been idle for long. */
    CLEAN_UP("tell what may be removed, as its items are the other tool's too", "delete keys one by one, or"),
    /** The last grants of a key, and how each of them ended. */
    HISTORY("keep the last grants of a key", "look into the logs of its clients, or");

    private final String cannot;
    private final String instead;

    StoreFeature(String cannot, String instead) {
        this.cannot = cannot;
        this.instead = instead;
    }

    /** The consequence of its absence, and the alternative. */
    String lackOf(String layout) {
        return "layout " + layout + " cannot " + cannot + " (" + instead + " use a store in Holdfast's own layout)";
    }
}
