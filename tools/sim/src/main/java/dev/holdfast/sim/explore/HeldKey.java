package dev.holdfast.sim.explore;

import dev.holdfast.Fence;
import dev.holdfast.Token;
import dev.holdfast.rules.ValidityRules.Tenure;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its holder knows it.
 *
 * @param anchor the fence of the anchor's grant that it lives by; null if it is renewed itself
 * @param value the number that the last acknowledged update wrote
 */
record HeldKey(
        Token token, Fence fence, Tenure tenure, @Nullable Fence anchor, long value) {
    HeldKey renewed(Tenure newTenure) {
        return new HeldKey(token, fence, newTenure, anchor, value);
    }

    HeldKey updated(long newValue) {
        return new HeldKey(token, fence, tenure, anchor, newValue);
    }
}
