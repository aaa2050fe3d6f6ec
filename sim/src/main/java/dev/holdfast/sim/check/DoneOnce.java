package dev.holdfast.sim.check;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Invariant 3: a done key is not granted again unless reopened, and is done at most once per opening. */
final class DoneOnce implements Checker {
    private final Checks checks;
    /** Which opening of its key each done ended, as the store saw it: an answer may come after the next opening. */
    private final Map<Long, Opening> endedBy = new HashMap<>();

    private final Map<Key, Integer> openings = new HashMap<>();
    private final Map<Opening, Operation> told = new HashMap<>();

    DoneOnce(Checks checks) {
        this.checks = checks;
    }

    private record Opening(Key key, int number) {}

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        boolean wasDone = before != null && before.state() == State.DONE;
        if (wasDone && (after == null || after.state() == State.HELD)) {
            checks.violated("3, done is final", key + " was done, and is granted again");
        } else if (after != null && wasDone && after.state() == State.FREE) {
            openings.merge(key, 1, Integer::sum);
        } else if (after != null && after.state() == State.DONE) {
            Opening opening = new Opening(key, openings.getOrDefault(key, 0));
            Acknowledgements.mark(after, Acknowledgements.DONE_BY).ifPresent(id -> endedBy.put(id, opening));
        }
    }

    @Override
    public void done(Operation operation) {
        Opening opening = endedBy.get(operation.id());
        Operation other = opening == null ? null : told.putIfAbsent(opening, operation);
        if (other != null) {
            checks.violated("3, done happens once", operation + " was told done, but so was " + other);
        }
    }
}
