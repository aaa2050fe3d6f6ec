package dev.holdfast.store;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseState;

/**
 * The entries that no clean-up removes, however long they are idle, because they are state that an operator relies on:
 * the units of fleets, which may be paused or wait for longer than a week, and the orders to fleets. Done units are
 * removed like other done keys, when the operator asks for it.
 */
public final class KeptEntries {
    /** On every unit of a fleet. A deleted unit has no attributes. */
    private static final String UNIT = "~unit";

    /** On every order to a fleet; true as long as the order is in force. */
    private static final String ORDER = "~control";

    private KeptEntries() {}

    public static boolean isKept(Entry entry) {
        Attributes attributes = entry.attributes();
        if (attributes.encodedSize() == Attributes.NONE.encodedSize()) {
            return false;
        }
        try {
            return attributes.bool(ORDER).orElse(false)
                    || (entry.state() != LeaseState.DONE
                            && attributes.bool(UNIT).orElse(false));
        } catch (IllegalArgumentException e) {
            return false; // Corrupt attributes are of no use to any fleet.
        }
    }
}
