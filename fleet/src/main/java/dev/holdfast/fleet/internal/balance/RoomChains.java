package dev.holdfast.fleet.internal.balance;

import static dev.holdfast.fleet.AssignmentStrategy.UNASSIGNED;

import dev.holdfast.fleet.internal.balance.UnitKinds.UnitKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Chains of moves through a plan. In a chain, a unit moves from its worker to the next one, from there another unit moves
 * on, and so on. Only the first and the last worker have another number of units afterwards.
 *
 * <p>The search is breadth-first. All workers that are suitable for a kind are reached when the kind is first met, so it
 * visits each worker and each kind once.
 */
final class RoomChains {
    private final LabelledPlan plan;
    private final int[] parent;
    private final UnitKind[] via;
    private BitSet reached = new BitSet();

    RoomChains(LabelledPlan plan) {
        this.plan = plan;
        this.parent = new int[plan.situation.workers()];
        this.via = new UnitKind[parent.length];
    }

    /** Returns the workers that the last search reached. */
    BitSet reached() {
        return reached;
    }

    /**
     * Searches chains from any of the roots.
     *
     * @param within the workers that a chain may use
     * @param isEnd whether a chain may end at a worker
     * @return the end that was found first, so by one of the shortest chains; null if there is none
     */
    @Nullable
    Integer search(BitSet roots, BitSet within, IntPredicate isEnd) {
        Deque<Integer> queue = new ArrayDeque<>();
        Set<BitSet> expanded = new HashSet<>();
        BitSet unreached = (BitSet) within.clone();
        unreached.andNot(roots);
        reached = (BitSet) roots.clone();
        Arrays.fill(parent, UNASSIGNED);
        roots.stream().forEach(queue::add);
        while (!queue.isEmpty()) {
            int worker = queue.remove();
            for (UnitKind kind : plan.kindsOf(worker)) {
                if (expanded.add(kind.suitable())) {
                    BitSet next = (BitSet) unreached.clone();
                    next.and(kind.suitable());
                    for (int to = next.nextSetBit(0); to >= 0; to = next.nextSetBit(to + 1)) {
                        parent[to] = worker;
                        via[to] = kind;
                        if (isEnd.test(to)) {
                            return to;
                        }
                        queue.add(to);
                    }
                    unreached.andNot(next);
                    reached.or(next);
                }
            }
        }
        return null;
    }

    /** Moves one unit along each link of the chain to {@code end}. Returns false, without any move, if a unit may not. */
    boolean shift(int end) {
        List<int[]> moves = new ArrayList<>();
        for (int to = end; parent[to] != UNASSIGNED; to = parent[to]) {
            Integer unit = plan.unitFor(parent[to], via[to], to);
            if (unit == null) {
                return false;
            }
            moves.add(new int[] {unit, to});
        }
        moves.forEach(move -> plan.move(move[0], move[1]));
        return true;
    }

    /** Returns the worker at which the chain to {@code end} begins. */
    int rootOf(int end) {
        int root = end;
        while (parent[root] != UNASSIGNED) {
            root = parent[root];
        }
        return root;
    }
}
