package dev.holdfast.judges.linear;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of an order: the steps that were placed, and the state after them.
 *
 * @param last the step placed last; -1 at the start
 * @param placed the numbers of all placed steps
 * @param certain how many of them are not optional
 */
record PartialOrder(@Nullable PartialOrder parent, int last, BitSet placed, int certain, ModelState state) {
    static PartialOrder empty() {
        return new PartialOrder(null, -1, new BitSet(), 0, ModelState.START);
    }

    PartialOrder with(int step, boolean optional, ModelState next) {
        BitSet more = (BitSet) placed.clone();
        more.set(step);
        return new PartialOrder(this, step, more, optional ? certain : certain + 1, next);
    }

    /** The numbers of the placed steps, in their order. */
    List<Integer> order() {
        List<Integer> order = new ArrayList<>();
        for (PartialOrder each = this; each.parent != null; each = each.parent) {
            order.add(each.last);
        }
        Collections.reverse(order);
        return order;
    }
}
