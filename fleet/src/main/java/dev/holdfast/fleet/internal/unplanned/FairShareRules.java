package dev.holdfast.fleet.internal.unplanned;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The decision which units a worker takes without a planner. It takes free units up to its share. If there are none, it
 * steals a few from the worker that has the most. A pure function.
 *
 * @param take free units to acquire
 * @param steal units to take from another worker
 */
record FairShareRules(List<String> take, List<String> steal) {
    /**
     * Decides which units to take.
     *
     * @param free units without a holder
     * @param holders the holder of each other unit
     * @param random shuffles the choice, so that workers that list at the same time do not all want the same units
     */
    static FairShareRules decide(
            List<String> free, Map<String, String> holders, String me, Limits mine, Random random) {
        Map<String, List<String>> byHolder = new TreeMap<>();
        holders.forEach((unit, holder) ->
                byHolder.computeIfAbsent(holder, it -> new ArrayList<>()).add(unit));
        byHolder.remove(me);
        int workers = byHolder.size() + 1;
        int units = free.size() + holders.size();
        int share = Math.min(mine.capacity, (units + workers - 1) / workers);
        int wanted = share - mine.held;
        if (wanted <= 0) {
            return new FairShareRules(List.of(), List.of());
        }
        if (!free.isEmpty()) {
            return new FairShareRules(shuffled(free, random).subList(0, Math.min(wanted, free.size())), List.of());
        }
        List<String> largest = byHolder.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        // Steals only as many as bring the two workers closer. Otherwise units would move back and forth.
        int surplus = (largest.size() - mine.held) / 2;
        int count = Math.min(Math.min(wanted, surplus), mine.stealMost);
        return new FairShareRules(List.of(), shuffled(largest, random).subList(0, Math.max(0, count)));
    }

    /**
     * The current and the allowed numbers of units of this worker.
     *
     * @param held how many it has, including units in a back-off
     * @param stealMost how many it may steal at once
     */
    record Limits(int held, int capacity, int stealMost) {}

    private static List<String> shuffled(List<String> units, Random random) {
        List<String> shuffled = new ArrayList<>(units);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
