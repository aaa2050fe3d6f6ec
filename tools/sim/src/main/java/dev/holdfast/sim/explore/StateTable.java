package dev.holdfast.sim.explore;

import java.util.Arrays;

/** The states that were reached, by their hashes, and how each was reached first. States have numbers in that order. */
final class StateTable {
    private static final int NONE = -1;

    private int[] slots = new int[1 << 16];
    private long[] high = new long[1 << 14];
    private long[] low = new long[1 << 14];
    private int[] from = new int[1 << 14];
    private short[] step = new short[1 << 14];
    private int size;

    StateTable() {
        Arrays.fill(slots, NONE);
    }

    int size() {
        return size;
    }

    /** The state from which this one was reached first. */
    int from(int state) {
        return from[state];
    }

    /** The number of the step that led here, among all steps of that state. */
    int step(int state) {
        return step[state];
    }

    /** Adds a state. Returns false if it is known. */
    boolean add(StateHash.Hash hash, int fromState, int byStep) {
        if (2 * size >= slots.length) {
            grow();
        }
        int slot = slot(hash.high(), hash.low());
        if (slots[slot] != NONE) {
            return false;
        }
        if (size == high.length) {
            high = Arrays.copyOf(high, 2 * size);
            low = Arrays.copyOf(low, 2 * size);
            from = Arrays.copyOf(from, 2 * size);
            step = Arrays.copyOf(step, 2 * size);
        }
        slots[slot] = size;
        high[size] = hash.high();
        low[size] = hash.low();
        from[size] = fromState;
        step[size] = (short) byStep;
        size++;
        return true;
    }

    /** The slot of a hash, or the free one where it belongs. */
    private int slot(long wantedHigh, long wantedLow) {
        int slot = (int) wantedLow & (slots.length - 1);
        while (slots[slot] != NONE && (high[slots[slot]] != wantedHigh || low[slots[slot]] != wantedLow)) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private void grow() {
        slots = new int[2 * slots.length];
        Arrays.fill(slots, NONE);
        for (int state = 0; state < size; state++) {
            slots[slot(high[state], low[state])] = state;
        }
    }
}
