package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.store.Entry;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A check that an update is applied once: attributes never return to the values of an earlier update. */
final class UpdatesAppliedOnce extends InvariantChecker {
    private final Set<Long> applied = new HashSet<>();

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        Long last = before == null ? null : mark(before);
        Long next = after == null ? null : mark(after);
        if (next != null && !Objects.equals(last, next) && !applied.add(next)) {
            violated("updates take effect once", key + ": update#" + next + " was applied again after " + last);
        }
    }

    private static @Nullable Long mark(Entry entry) {
        return AcknowledgedWrites.mark(entry, AcknowledgedWrites.UPDATED_BY).orElse(null);
    }
}
