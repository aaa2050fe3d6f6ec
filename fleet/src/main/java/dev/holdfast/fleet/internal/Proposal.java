package dev.holdfast.fleet.internal;

import dev.holdfast.fleet.Strategy;
import dev.holdfast.internal.Check;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What of a strategy's wish is done now. Units that nobody has, or that their worker cannot keep, are placed at once. Moves
 * between workers that could go on as they are wait until the fleet is quiet, and only so many are under way at a time.
 */
final class Proposal {
    private final Table table;
    private final int[] next;
    private final Map<String, Integer> movedTo = new HashMap<>();
    private int placed;
    private int moved;
    private int putOff;
    private int unplaced;

    /** @param mayMove how many units may be moved from workers that could keep them */
    Proposal(Table table, Strategy strategy, int mayMove) {
        this.table = table;
        int[] wish = strategy.assign(table);
        if (wish.length != table.units()) {
            throw Check.bad("strategy", wish.length + " units", "as many as there are: " + table.units());
        }
        this.next = wish;
        int budget = mayMove;
        for (int unit = 0; unit < next.length; unit++) {
            int owner = table.owner(unit);
            if (owner == Strategy.NOBODY || !canStay(owner, unit)) {
                placed += next[unit] == owner ? 0 : 1;
            } else if (next[unit] != owner && budget > 0) {
                budget--;
                move(unit);
            } else if (next[unit] != owner) {
                putOff++;
                next[unit] = owner;
            }
            unplaced += next[unit] == Strategy.NOBODY ? 1 : 0;
        }
    }

    private boolean canStay(int owner, int unit) {
        return !table.isLeaving(owner) && table.mayHave(owner, unit);
    }

    private void move(int unit) {
        moved++;
        if (next[unit] != Strategy.NOBODY) {
            movedTo.merge(table.worker(next[unit]).name(), 1, Integer::sum);
        }
    }

    /** The units of each worker, in the order of the workers. */
    List<List<String>> units() {
        List<List<String>> units = new ArrayList<>();
        for (int worker = 0; worker < table.workers(); worker++) {
            units.add(new ArrayList<>());
        }
        for (int unit = 0; unit < next.length; unit++) {
            if (next[unit] != Strategy.NOBODY) {
                units.get(next[unit]).add(table.unit(unit));
            }
        }
        return units;
    }

    /** How many units each worker is given that another must first let go of. */
    Map<String, Integer> movedTo() {
        return movedTo;
    }

    int placed() {
        return placed;
    }

    int moved() {
        return moved;
    }

    int putOff() {
        return putOff;
    }

    int unplaced() {
        return unplaced;
    }
}
