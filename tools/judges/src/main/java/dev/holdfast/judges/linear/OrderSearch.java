package dev.holdfast.judges.linear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The search of Wing and Gong for an order of calls, with Lowe's memory of visited configurations.
 *
 * <p>A step can be next if it started before every unplaced step ended. The search places such a step, if the model
 * allows it, and goes on in depth first. A configuration is the set of placed steps with the state of the key. Two orders
 * that lead to the same state with the same certain steps differ in their times, and in the optional steps that they
 * used. If one has no later time, no later expiry and no other optional steps than the other, it allows everything that
 * the other allows. So the other need not be visited. Of all visited orders of a configuration, only the ones that no
 * other dominates are kept. Optional steps that differ only in their starts are used in the order of these.
 *
 * <p>A read that can be next, and that changes neither state nor time, is placed at once, and nothing else is tried: an
 * order that places it later remains possible if it is moved here. That is not so for a call with an earlier effect,
 * which must precede it.
 *
 * <p>Most histories need few optional steps, and many optional steps make many orders. So the search begins with orders
 * that use none of them, and allows more each time it finds none. A history is impossible only if the last search, which
 * refused no order for this reason, found none.
 */
final class OrderSearch {
    private record Configuration(BitSet certain, LeaseEntry entry) {}

    private final List<LeaseOp> steps;
    private final int certain;
    private final int limit;
    private final int[] answeredStep;
    private final BitSet optional = new BitSet();
    private final BitSet hasPrelude = new BitSet();
    private final Map<Configuration, List<PartialOrder>> visited = new HashMap<>();
    private final Deque<PartialOrder> open = new ArrayDeque<>();
    /** How many optional steps an order may use. */
    private int allowed;
    /** Whether an order was refused because it used more. */
    private boolean refused;

    /**
     * @param steps in the order of their starts
     * @param limit how many beginnings of orders are tried at most, as each takes memory
     */
    OrderSearch(List<LeaseOp> steps, int limit) {
        this.steps = steps;
        this.limit = limit;
        this.certain = (int) steps.stream().filter(step -> !step.optional()).count();
        this.answeredStep = new int[steps.size()];
        for (int i = 0; i < answeredStep.length; i++) {
            optional.set(i, steps.get(i).optional());
            answeredStep[i] = steps.get(i).prelude() ? answeredStepOf(steps.get(i)) : -1;
            if (answeredStep[i] >= 0) {
                hasPrelude.set(answeredStep[i]);
            }
        }
    }

    private int answeredStepOf(LeaseOp prelude) {
        for (int i = 0; i < steps.size(); i++) {
            if (!steps.get(i).prelude() && steps.get(i).call().equals(prelude.call())) {
                return i;
            }
        }
        return -1;
    }

    SearchResult run() {
        SearchResult result = search();
        while (refused && !(result instanceof SearchResult.Ordered)) {
            allowed = 2 * allowed + 1;
            result = search();
        }
        return result;
    }

    private SearchResult search() {
        PartialOrder longest = PartialOrder.empty();
        refused = false;
        visited.clear();
        open.clear();
        open.push(longest);
        for (int tried = 0; !open.isEmpty(); tried++) {
            PartialOrder order = open.pop();
            if (order.certain() == certain) {
                return new SearchResult.Ordered(stepsOf(order));
            }
            if (tried >= limit) {
                return new SearchResult.Undecided();
            }
            if (order.certain() > longest.certain()) {
                longest = order;
            }
            extend(order);
        }
        return new SearchResult.Impossible(stepsOf(longest));
    }

    private List<LeaseOp> stepsOf(PartialOrder order) {
        return order.order().stream().map(steps::get).toList();
    }

    private void extend(PartialOrder order) {
        List<Integer> next = candidates(order);
        for (int step : next) {
            if (steps.get(step).isObservation()
                    && !hasPrelude.get(step)
                    && steps.get(step).from(order.state()).contains(order.state())) {
                PartialOrder longer = order.with(step, false, order.state());
                if (isNew(longer)) {
                    open.push(longer);
                }
                return;
            }
        }
        // The last one pushed is tried first: the one that must end first.
        next.sort(Comparator.comparingLong((Integer step) -> steps.get(step).end())
                .thenComparing(step -> steps.get(step).optional())
                .reversed());
        for (int step : next) {
            LeaseOp op = steps.get(step);
            if (op.optional() && order.placed().cardinality() - order.certain() >= allowed) {
                refused = true;
                continue;
            }
            for (ModelState state : op.from(order.state())) {
                PartialOrder longer = order.with(step, op.optional(), state);
                if (isNew(longer)) {
                    open.push(longer);
                }
            }
        }
    }

    /** The unplaced steps that may be next: none that an unplaced step precedes in real time. */
    private List<Integer> candidates(PartialOrder order) {
        List<Integer> next = new ArrayList<>();
        Set<String> alike = new HashSet<>();
        long firstEnd = Long.MAX_VALUE;
        int step = order.placed().nextClearBit(0);
        while (step < steps.size() && steps.get(step).start() <= firstEnd) {
            LeaseOp op = steps.get(step);
            if (!op.optional()) {
                firstEnd = Math.min(firstEnd, op.end());
            }
            boolean inTurn = op.likeness() == null || alike.add(op.likeness());
            if (inTurn && (answeredStep[step] < 0 || !order.placed().get(answeredStep[step]))) {
                next.add(step);
            }
            step = order.placed().nextClearBit(step + 1);
        }
        if (order.state().now() > firstEnd) {
            return new ArrayList<>(); // A step is left that can no longer be in time.
        }
        long latestStart = firstEnd;
        next.removeIf(each -> steps.get(each).start() > latestStart);
        return next;
    }

    private boolean isNew(PartialOrder order) {
        BitSet mandatory = (BitSet) order.placed().clone();
        mandatory.andNot(optional);
        List<PartialOrder> known = visited.computeIfAbsent(
                new Configuration(mandatory, order.state().entry()), unseen -> new ArrayList<>(1));
        if (known.stream().anyMatch(other -> dominates(other, order))) {
            return false;
        }
        known.removeIf(other -> dominates(order, other));
        known.add(order);
        return true;
    }

    /** Whether every order that can continue {@code right} can continue {@code left}, too. */
    private boolean dominates(PartialOrder left, PartialOrder right) {
        if (!left.state().isNoLaterThan(right.state())) {
            return false;
        }
        BitSet more = (BitSet) left.placed().clone();
        more.andNot(right.placed());
        return more.isEmpty();
    }
}
