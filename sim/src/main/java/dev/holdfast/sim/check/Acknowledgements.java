package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.model.AttributeValue;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.spi.StoreException.Effect;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 4, and its other half: what was acknowledged is in the store, and what was said not to have been applied
 * never is.
 */
public final class Acknowledgements implements Checker {
    /** The attribute by which a grant, and a done, are known again in the store. */
    public static final String GRANTED_BY = "grantedBy";

    public static final String DONE_BY = "doneBy";
    public static final String UPDATED_BY = "updatedBy";

    private final Checks checks;
    private final Set<Long> written = new HashSet<>();
    private final Set<Long> denied = new HashSet<>();

    Acknowledgements(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after == null) {
            return;
        }
        note(after, GRANTED_BY);
        note(after, DONE_BY);
        note(after, UPDATED_BY);
    }

    private void note(Entry after, String mark) {
        mark(after, mark).ifPresent(id -> {
            written.add(id);
            if (denied.contains(id)) {
                checks.violated("4, answers are true", "#" + id + " was told that it was not applied, and then it was");
            }
        });
    }

    static Optional<Long> mark(Entry entry, String name) {
        return entry.attributes()
                .get(name)
                .map(value -> ((AttributeValue.Number) value).value())
                .map(BigDecimal::longValueExact);
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        if (result.isGranted() && !written.contains(operation.id())) {
            checks.violated("4, acknowledged writes are kept", operation + " was granted, but not in the store");
        }
    }

    @Override
    public void done(Operation operation) {
        if (!written.contains(operation.id())) {
            checks.violated("4, acknowledged writes are kept", operation + " was told done, but not in the store");
        }
    }

    @Override
    public void updated(Operation operation) {
        if (!written.contains(operation.id())) {
            checks.violated("4, acknowledged writes are kept", operation + " was acknowledged, but not in the store");
        }
    }

    @Override
    public void failed(Operation operation, Effect effect) {
        if (effect == Effect.NOT_APPLIED) {
            denied.add(operation.id());
            if (written.contains(operation.id())) {
                checks.violated("4, answers are true", operation + " was told that it was not applied, but it was");
            }
        }
    }
}
