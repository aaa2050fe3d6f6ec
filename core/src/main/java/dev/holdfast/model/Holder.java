package dev.holdfast.model;

import dev.holdfast.internal.Check;

/** Who a holder says it is. Shown to people; it proves nothing, the {@link Token} does. */
public record Holder(String name) {
    public Holder {
        Check.nonEmptyText("holder", name, Limits.HOLDER_BYTES);
    }

    public static Holder of(String name) {
        return new Holder(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
