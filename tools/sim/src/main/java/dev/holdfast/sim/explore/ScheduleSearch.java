package dev.holdfast.sim.explore;

import dev.holdfast.rules.RuleSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A breadth-first search through all states of a bounded world. The first violation that it finds has a shortest
 * schedule.
 */
public final class ScheduleSearch {
    /** The states whose steps are computed together, on all processors. */
    private static final int PORTION = 10_000;

    private static final int ROOT = 0;

    private final WorldBounds bounds;
    private final WorldSteps steps;
    private final long mostStates;
    private final StateTable table = new StateTable();
    private long transitions;

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
     * @param depth the number of steps to the farthest state, or to the violation
     * @param complete whether all states within the bounds were reached
     * @param violation the violated invariant; empty if there is none
     * @param story the shortest schedule that leads to the violation, step by step
     */
    public record SearchResult(
            long states, long transitions, int depth, boolean complete, String violation, List<String> story) {}

    /** A state whose steps are not yet known. */
    private record OpenState(WorldState world, int number) {}

    private record HashedStep(WorldStep step, StateHash.Hash hash) {}

    private record Violated(int state, WorldStep step) {}

    public SearchResult run() {
        List<OpenState> open = new ArrayList<>();
        WorldState initial = WorldState.initial(bounds);
        table.add(StateHash.of(initial, bounds.anchored()), ROOT, 0);
        open.add(new OpenState(initial, ROOT));
        int depth = 0;
        while (!open.isEmpty()) {
            List<OpenState> next = new ArrayList<>();
            for (int from = 0; from < open.size(); from += PORTION) {
                Violated violated = expand(open.subList(from, Math.min(open.size(), from + PORTION)), next);
                if (violated != null) {
                    List<String> story = story(violated.state());
                    story.add(violated.step().story());
                    return result(depth + 1, false, violated.step().violation(), story);
                }
                if (table.size() > mostStates) {
                    return result(depth, false, "", List.of());
                }
            }
            depth += next.isEmpty() ? 0 : 1;
            open = next;
        }
        return result(depth, true, "", List.of());
    }

    private SearchResult result(int depth, boolean complete, String violation, List<String> story) {
        return new SearchResult(table.size(), transitions, depth, complete, violation, story);
    }

    private @Nullable Violated expand(List<OpenState> portion, List<OpenState> next) {
        List<List<HashedStep>> all = portion.parallelStream()
                .map(state -> steps.from(state.world()).stream()
                        .map(step -> new HashedStep(step, StateHash.of(step.world(), bounds.anchored())))
                        .toList())
                .toList();
        for (int i = 0; i < all.size(); i++) {
            int from = portion.get(i).number();
            for (int choice = 0; choice < all.get(i).size(); choice++) {
                HashedStep step = all.get(i).get(choice);
                transitions++;
                if (!step.step().violation().isEmpty()) {
                    return new Violated(from, step.step());
                }
                if (table.add(step.hash(), from, choice)) {
                    next.add(new OpenState(step.step().world(), table.size() - 1));
                }
            }
        }
        return null;
    }

    /** Replays the way to a state, as only the choices are kept. */
    private List<String> story(int to) {
        List<Integer> choices = new ArrayList<>();
        for (int state = to; state != ROOT; state = table.from(state)) {
            choices.add(table.step(state));
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
