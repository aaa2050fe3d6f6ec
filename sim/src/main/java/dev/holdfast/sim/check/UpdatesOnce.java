package dev.holdfast.sim.check;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An update takes effect once: attributes never go back to what an earlier update had made of them. */
final class UpdatesOnce implements Checker {
    private final Checks checks;
    private final Set<Long> applied = new HashSet<>();

    UpdatesOnce(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        Long last = before == null ? null : mark(before);
        Long next = after == null ? null : mark(after);
        if (next != null && !Objects.equals(last, next) && !applied.add(next)) {
            checks.violated("updates take effect once", key + ": update#" + next + " was applied again after " + last);
        }
    }

    private static @Nullable Long mark(Entry entry) {
        return Acknowledgements.mark(entry, Acknowledgements.UPDATED_BY).orElse(null);
    }
}
