package dev.holdfast;

import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;

/** The name that a holder gives itself. It is shown to people and proves nothing; the {@link Token} does. */
public record Holder(String name) {
    public Holder {
        ArgumentCheck.nonEmptyText("holder", name, SizeLimits.HOLDER_BYTES);
    }

    public static Holder of(String name) {
        return new Holder(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
