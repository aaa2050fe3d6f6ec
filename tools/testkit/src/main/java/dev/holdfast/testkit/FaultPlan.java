package dev.holdfast.testkit;

import dev.holdfast.testkit.FaultyStore.Call;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The plan of faults per kind of call: a script first, then a standing fault, then random faults. Thread-safe. */
final class FaultPlan {
    private final Map<Call, Deque<StoreFault>> scripts = new EnumMap<>(Call.class);
    private final Map<Call, StoreFault> standing = new EnumMap<>(Call.class);
    private Random random = new Random(0);
    private double probability;
    private List<StoreFault> randomFaults = List.of();

    synchronized void script(Call call, StoreFault... faults) {
        scripts.computeIfAbsent(call, c -> new ArrayDeque<>()).addAll(List.of(faults));
    }

    synchronized void always(Call call, StoreFault fault) {
        standing.put(call, fault);
    }

    synchronized void randomly(long seed, double newProbability, StoreFault... faults) {
        if (faults.length == 0 || !(newProbability >= 0 && newProbability <= 1)) {
            throw new IllegalArgumentException("randomly: " + newProbability + ", " + faults.length
                    + " faults (expected: a probability of 0 to 1, and at least one fault)");
        }
        random = new Random(seed);
        probability = newProbability;
        randomFaults = List.of(faults);
    }

    synchronized void clear() {
        scripts.clear();
        standing.clear();
        probability = 0;
    }

    synchronized StoreFault next(Call call) {
        Deque<StoreFault> script = scripts.get(call);
        if (script != null && !script.isEmpty()) {
            return script.remove();
        }
        StoreFault always = standing.getOrDefault(call, StoreFault.NONE);
        if (always != StoreFault.NONE || probability == 0) {
            return always;
        }
        return random.nextDouble() < probability
                ? randomFaults.get(random.nextInt(randomFaults.size()))
                : StoreFault.NONE;
    }
}
