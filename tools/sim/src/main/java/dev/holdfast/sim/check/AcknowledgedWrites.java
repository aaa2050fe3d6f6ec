package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.AttributeValue;
import dev.holdfast.Key;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.store.Entry;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 4, and its other half: what was acknowledged is in the store, and what was said not to have been applied
 * never is.
 */
public final class AcknowledgedWrites implements InvariantChecker {
    /** The attribute by which a grant, and a done, are known again in the store. */
    public static final String GRANTED_BY = "grantedBy";

    public static final String DONE_BY = "doneBy";
    public static final String UPDATED_BY = "updatedBy";

    private final CheckerSet checkerSet;
    private final Set<Long> written = new HashSet<>();
    private final Set<Long> denied = new HashSet<>();

    AcknowledgedWrites(CheckerSet checkerSet) {
        this.checkerSet = checkerSet;
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
                checkerSet.violated(
                        "4, answers are true", "#" + id + " was told that it was not applied, and then it was");
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
    public void answered(SimulatedCall simulatedCall, AcquireResult result) {
        if (result.isGranted() && !written.contains(simulatedCall.id())) {
            checkerSet.violated(
                    "4, acknowledged writes are kept", simulatedCall + " was granted, but not in the store");
        }
    }

    @Override
    public void done(SimulatedCall simulatedCall) {
        if (!written.contains(simulatedCall.id())) {
            checkerSet.violated(
                    "4, acknowledged writes are kept", simulatedCall + " was told done, but not in the store");
        }
    }

    @Override
    public void updated(SimulatedCall simulatedCall) {
        if (!written.contains(simulatedCall.id())) {
            checkerSet.violated(
                    "4, acknowledged writes are kept", simulatedCall + " was acknowledged, but not in the store");
        }
    }

    @Override
    public void failed(SimulatedCall simulatedCall, Effect effect) {
        if (effect == Effect.NOT_APPLIED) {
            denied.add(simulatedCall.id());
            if (written.contains(simulatedCall.id())) {
                checkerSet.violated(
                        "4, answers are true", simulatedCall + " was told that it was not applied, but it was");
            }
        }
    }
}
