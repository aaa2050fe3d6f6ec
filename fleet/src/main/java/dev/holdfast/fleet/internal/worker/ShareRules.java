package dev.holdfast.fleet.internal.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What one worker takes where nobody plans: what is free, up to its share; if nothing is, a little of whoever has most. A
 * pure function.
 *
 * @param take free units to acquire
 * @param steal units to take from another
 */
record ShareRules(List<String> take, List<String> steal) {
    /**
     * Decides.
     *
     * @param free units that nobody holds
     * @param holders who holds the others
     * @param random so that workers that look at the same time do not all want the same
     */
    static ShareRules decide(List<String> free, Map<String, String> holders, String me, Limits mine, Random random) {
        Map<String, List<String>> byHolder = new TreeMap<>();
        holders.forEach((unit, holder) ->
                byHolder.computeIfAbsent(holder, it -> new ArrayList<>()).add(unit));
        byHolder.remove(me);
        int workers = byHolder.size() + 1;
        int units = free.size() + holders.size();
        int share = Math.min(mine.capacity, (units + workers - 1) / workers);
        int wanted = share - mine.held;
        if (wanted <= 0) {
            return new ShareRules(List.of(), List.of());
        }
        if (!free.isEmpty()) {
            return new ShareRules(shuffled(free, random).subList(0, Math.min(wanted, free.size())), List.of());
        }
        List<String> richest = byHolder.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        // Only what brings the two closer: else units would go to and fro.
        int surplus = (richest.size() - mine.held) / 2;
        int count = Math.min(Math.min(wanted, surplus), mine.stealMost);
        return new ShareRules(List.of(), shuffled(richest, random).subList(0, Math.max(0, count)));
    }

    /**
     * What this worker has, and may have.
     *
     * @param held how many, resting ones included
     * @param stealMost how many may be stolen at once
     */
    record Limits(int held, int capacity, int stealMost) {}

    private static List<String> shuffled(List<String> units, Random random) {
        List<String> shuffled = new ArrayList<>(units);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
