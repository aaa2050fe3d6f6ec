package dev.holdfast.sim.explore;

import dev.holdfast.Fence;
import dev.holdfast.Token;
import dev.holdfast.rules.ValidityRules.Tenure;

/**
 * A lease as its holder knows it.
 *
 * @param anchored whether it lives as long as the anchor of its client
 * @param value the number that the last acknowledged update wrote
 */
record HeldKey(Token token, Fence fence, Tenure tenure, boolean anchored, long value) {
    HeldKey renewed(Tenure newTenure) {
        return new HeldKey(token, fence, newTenure, anchored, value);
    }

    HeldKey updated(long newValue) {
        return new HeldKey(token, fence, tenure, anchored, newValue);
    }
}
