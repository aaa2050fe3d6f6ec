package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Invariant 3: a done key is not granted again unless reopened, and is done at most once per opening. */
final class DoneExactlyOnce extends InvariantChecker {
    /**
     * The opening that each done call ended, in the order of the store: a response may arrive after the next opening.
     */
    private final Map<Long, Opening> endedBy = new HashMap<>();

    private final Map<Key, Integer> openings = new HashMap<>();
    private final Map<Opening, SimulatedCall> acknowledged = new HashMap<>();

    private record Opening(Key key, int number) {}

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        boolean wasDone = before != null && before.state() == LeaseState.DONE;
        if (wasDone && (after == null || after.state() == LeaseState.HELD)) {
            violated("3, done is final", key + " was done, and was granted again");
        } else if (after != null && wasDone && after.state() == LeaseState.FREE) {
            openings.merge(key, 1, Integer::sum);
        } else if (after != null && after.state() == LeaseState.DONE) {
            Opening opening = new Opening(key, openings.getOrDefault(key, 0));
            AcknowledgedWrites.mark(after, AcknowledgedWrites.DONE_BY).ifPresent(id -> endedBy.put(id, opening));
        }
    }

    @Override
    public void acknowledged(SimulatedCall call) {
        Opening opening = endedBy.get(call.id());
        SimulatedCall other = opening == null ? null : acknowledged.putIfAbsent(opening, call);
        if (other != null) {
            violated("3, done happens once", call + " was reported as done, but so was " + other);
        }
    }
}
