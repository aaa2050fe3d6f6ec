package dev.holdfast.sim.explore;

import dev.holdfast.rules.RuleSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A breadth-first search through all states of a bounded world. The first violation that it finds has a shortest
 * schedule.
 */
public final class ScheduleSearch {
    private final WorldBounds bounds;
    private final WorldSteps steps;
    private final long mostStates;

    public ScheduleSearch(WorldBounds bounds, RuleSet rules, long mostStates) {
        this.bounds = bounds;
        this.steps = new WorldSteps(bounds, rules);
        this.mostStates = mostStates;
    }

    /**
     * The result of a search.
     *
     * @param states the number of different states
     * @param transitions the number of steps between them
     * @param depth the number of steps of the longest shortest schedule
     * @param complete whether all states within the bounds were reached
     * @param violation the violated invariant; empty if there is none
     * @param story the shortest schedule that leads to the violation, step by step
     */
    public record SearchResult(
            long states, long transitions, int depth, boolean complete, String violation, List<String> story) {}

    private record Known(WorldState world, StateHash.Hash hash, int depth) {}

    /** How a state was first reached. */
    private record Arrival(StateHash.@Nullable Hash from, int step) {}

    public SearchResult run() {
        Map<StateHash.Hash, Arrival> arrivals = new HashMap<>();
        ArrayDeque<Known> open = new ArrayDeque<>();
        WorldState initial = WorldState.initial(bounds);
        StateHash.Hash root = StateHash.of(initial, bounds.anchored());
        arrivals.put(root, new Arrival(null, 0));
        open.add(new Known(initial, root, 0));
        long transitions = 0;
        int depth = 0;
        while (!open.isEmpty()) {
            Known known = open.remove();
            depth = Math.max(depth, known.depth());
            List<WorldStep> all = steps.from(known.world());
            for (int i = 0; i < all.size(); i++) {
                WorldStep step = all.get(i);
                transitions++;
                if (!step.violation().isEmpty()) {
                    List<String> story = story(arrivals, known.hash());
                    story.add(step.story());
                    return new SearchResult(
                            arrivals.size(), transitions, known.depth() + 1, false, step.violation(), story);
                }
                StateHash.Hash hash = StateHash.of(step.world(), bounds.anchored());
                if (arrivals.putIfAbsent(hash, new Arrival(known.hash(), i)) == null) {
                    open.add(new Known(step.world(), hash, known.depth() + 1));
                }
            }
            if (arrivals.size() > mostStates) {
                return new SearchResult(arrivals.size(), transitions, depth, false, "", List.of());
            }
        }
        return new SearchResult(arrivals.size(), transitions, depth, true, "", List.of());
    }

    /** Replays the way to a state, as only the choices are kept. */
    private List<String> story(Map<StateHash.Hash, Arrival> arrivals, StateHash.Hash to) {
        List<Integer> choices = new ArrayList<>();
        StateHash.Hash at = to;
        for (Arrival arrival = arrivals.get(at); arrival != null && arrival.from() != null; arrival = arrivals.get(at)) {
            choices.add(arrival.step());
            at = arrival.from();
        }
        Collections.reverse(choices);
        List<String> story = new ArrayList<>();
        WorldState world = WorldState.initial(bounds);
        for (int choice : choices) {
            WorldStep step = steps.from(world).get(choice);
            story.add(step.story());
            world = step.world();
        }
        return story;
    }
}
