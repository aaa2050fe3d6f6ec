package dev.holdfast.sim.explore;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseState;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The invariants, checked at every change of the store and in every state. */
final class WorldChecks {
    static final String VALUE = "n";

    private final ValidityRules validity;
    private final int anchorKey;

    /** @param validity the rules by which holders rely on their leases */
    WorldChecks(ValidityRules validity, int anchorKey) {
        this.validity = validity;
        this.anchorKey = anchorKey;
    }

    static long value(Attributes attributes) {
        return attributes.number(VALUE).map(BigDecimal::longValue).orElse(0L);
    }

    /** A violation by a change that the store applies; null if there is none. */
    @Nullable
    String violation(WorldState world, int key, @Nullable Entry before, Entry after, boolean byForce) {
        if (before == null) {
            return null;
        }
        boolean isGrant = after.grants() > before.grants();
        if (isGrant && !after.fence().isAbove(before.fence())) {
            return "2, fences grow: " + after.fence() + " was granted after " + before.fence();
        }
        if (before.state() == LeaseState.DONE && after.state() != LeaseState.DONE) {
            return "3, done is final: the key is " + after.state() + " after it was done";
        }
        Grant grant = before.grant();
        if (grant != null && after.isOf(grant.token()) && value(after.attributes()) < value(before.attributes())) {
            return "4, acknowledged writes survive: " + value(after.attributes()) + " replaced "
                    + value(before.attributes());
        }
        boolean isLoss = grant != null && before.isHeldBy(grant.token()) && !after.isHeldBy(grant.token());
        return grant != null && isLoss && !byForce ? reliedOn(world, key, grant) : null;
    }

    /** Whether a client relies on a grant that has just ended: it would work beside the next holder. */
    private @Nullable String reliedOn(WorldState world, int key, Grant grant) {
        for (int client = 0; client < world.clients().size(); client++) {
            ClientState state = world.clients().get(client);
            HeldKey held = state.held().get(key);
            if (held != null
                    && !world.isEvicted(state, held, anchorKey)
                    && held.token().equals(grant.token())
                    && state.relies(key, anchorKey, validity, world.nowNanos())) {
                return "1 and 5, one holder: the lease of client " + client + " ends inside its own term";
            }
        }
        return null;
    }

    /** A violation in a state; null if there is none. */
    @Nullable
    String violation(WorldState world) {
        for (int key = 0; key < world.store().size(); key++) {
            int relying = 0;
            for (ClientState state : world.clients()) {
                HeldKey held = state.held().get(key);
                boolean counts = held != null && !world.isEvicted(state, held, anchorKey);
                if (counts && state.relies(key, anchorKey, validity, world.nowNanos())) {
                    relying++;
                }
                Entry stored = world.store().get(key).entry();
                if (counts
                        && stored != null
                        && stored.isOf(held.token())
                        && value(stored.attributes()) < held.value()) {
                    return "4, acknowledged writes survive: an update is lost";
                }
            }
            if (relying > 1) {
                return "1, one holder: " + relying + " clients are inside their own term";
            }
        }
        return null;
    }
}
