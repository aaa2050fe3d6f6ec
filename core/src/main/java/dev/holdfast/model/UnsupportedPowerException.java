package dev.holdfast.model;

import org.jspecify.annotations.Nullable;

/** What was asked for cannot be kept where the leases live. Nothing was sent. */
public final class UnsupportedPowerException extends HoldfastException {
    private final Power power;

    /** @param layout the name of what lacks the power */
    public UnsupportedPowerException(@Nullable Key key, Power power, String layout) {
        super(key, power.lackOf(layout), null);
        this.power = power;
    }

    /** What is lacking. */
    public Power power() {
        return power;
    }
}
