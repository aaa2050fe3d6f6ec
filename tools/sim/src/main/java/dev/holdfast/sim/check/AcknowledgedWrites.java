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
 * Invariant 4: acknowledged writes are in the store, and writes that were reported as not applied never are.
 */
public final class AcknowledgedWrites extends InvariantChecker {
    /** The attributes that identify the call behind a grant, a done or an update in the store. */
    public static final String GRANTED_BY = "grantedBy";

    public static final String DONE_BY = "doneBy";
    public static final String UPDATED_BY = "updatedBy";

    private final Set<Long> written = new HashSet<>();
    private final Set<Long> denied = new HashSet<>();

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
                violated("4, responses are true", "#" + id + " was reported as not applied, and was applied later");
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
    public void answered(SimulatedCall call, AcquireResult result) {
        if (result.isGranted()) {
            acknowledged(call);
        }
    }

    @Override
    public void acknowledged(SimulatedCall call) {
        if (!written.contains(call.id())) {
            violated("4, acknowledged writes are kept", call + " was acknowledged, but is not in the store");
        }
    }

    @Override
    public void failed(SimulatedCall call, Effect effect) {
        if (effect == Effect.NOT_APPLIED) {
            denied.add(call.id());
            if (written.contains(call.id())) {
                violated("4, responses are true", call + " was reported as not applied, but it was applied");
            }
        }
    }
}
