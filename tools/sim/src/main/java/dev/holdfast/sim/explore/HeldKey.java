package dev.holdfast.sim.explore;

import dev.holdfast.Fence;
import dev.holdfast.Token;
import dev.holdfast.rules.ValidityRules.Tenure;

/**
 * A lease as its holder knows it.
 *
 * @param anchored whether it lives as long as the anchor of its client
 * @param evicted whether an operator has evicted it by force: from then on only fences protect the resource
 * @param value the number that the last acknowledged update wrote
 */
record HeldKey(Token token, Fence fence, Tenure tenure, boolean anchored, boolean evicted, long value) {
    HeldKey renewed(Tenure newTenure) {
        return new HeldKey(token, fence, newTenure, anchored, evicted, value);
    }

    HeldKey updated(long newValue) {
        return new HeldKey(token, fence, tenure, anchored, evicted, newValue);
    }

    HeldKey evictedByForce() {
        return new HeldKey(token, fence, tenure, anchored, true, value);
    }
}
