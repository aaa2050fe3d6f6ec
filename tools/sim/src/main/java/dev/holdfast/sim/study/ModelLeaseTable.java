package dev.holdfast.sim.study;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;

/** The lease table of the model: the owner of each lease. */
final class ModelLeaseTable {
    private final List<List<Integer>> held;
    private final List<Integer> free;
    private final BitSet owners = new BitSet();
    private final Random random;
    /** Contains stale entries, because a change of load only adds one; they are dropped when they reach the top. */
    private final PriorityQueue<Load> loads =
            new PriorityQueue<>(Comparator.comparingInt(Load::count).reversed());

    private record Load(int worker, int count) {}

    ModelLeaseTable(int units, int workers, Random random) {
        this.held = IntStream.range(0, workers)
                .mapToObj(worker -> (List<Integer>) new ArrayList<Integer>())
                .toList();
        this.free = new ArrayList<>(IntStream.range(0, units).boxed().toList());
        this.random = random;
    }

    int free() {
        return free.size();
    }

    int load(int worker) {
        return held.get(worker).size();
    }

    /** The workers with at least one lease, dead or alive. */
    BitSet owners() {
        return owners;
    }

    int takeFree(int worker) {
        int unit = removeAny(free);
        give(unit, worker);
        return unit;
    }

    int takeFrom(int owner, int worker) {
        int unit = removeAny(held.get(owner));
        changed(owner);
        give(unit, worker);
        return unit;
    }

    private void give(int unit, int worker) {
        held.get(worker).add(unit);
        changed(worker);
    }

    private void changed(int worker) {
        owners.set(worker, load(worker) > 0);
        loads.add(new Load(worker, load(worker)));
    }

    private int removeAny(List<Integer> units) {
        int index = random.nextInt(units.size());
        int last = units.remove(units.size() - 1);
        return index == units.size() ? last : units.set(index, last);
    }

    int mostLoaded() {
        while (true) {
            Load top = loads.element();
            if (top.count() == load(top.worker())) {
                return top.worker();
            }
            loads.remove();
        }
    }
}
