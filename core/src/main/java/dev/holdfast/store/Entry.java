package dev.holdfast.store;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a key.
 *
 * @param fence of the last grant; a deleted key keeps it, while its other fields are empty
 * @param grants how often the key was granted since it was created
 * @param grant the last grant; null if there was none since the key was created or deleted
 * @param createdAt by the writer's wall clock: for people
 * @param doneAt set if and only if the state is {@link LeaseState#DONE}
 * @param history the grants before, as far as they were recorded. A write that ends the last grant adds it.
 */
public record Entry(
        Key key,
        Version version,
        LeaseState state,
        Fence fence,
        long grants,
        @Nullable Grant grant,
        Attributes attributes,
        Instant createdAt,
        @Nullable Instant doneAt,
        GrantHistory history) {

    public Entry {
        if (state != LeaseState.FREE && grant == null) {
            throw ArgumentCheck.bad("entry", key, "a grant, as its state is " + state);
        }
        if ((state == LeaseState.DONE) != (doneAt != null)) {
            throw ArgumentCheck.bad("entry", key, "a done time if and only if it is DONE");
        }
    }

    /** An entry without a history. */
    public Entry(
            Key key,
            Version version,
            LeaseState state,
            Fence fence,
            long grants,
            @Nullable Grant grant,
            Attributes attributes,
            Instant createdAt,
            @Nullable Instant doneAt) {
        this(key, version, state, fence, grants, grant, attributes, createdAt, doneAt, GrantHistory.NONE);
    }

    /** The entry of a key that was never granted, or was deleted: it has nothing but a fence. */
    public static Entry empty(Key key, Version version, Fence fence, Instant now) {
        return new Entry(key, version, LeaseState.FREE, fence, 0, null, Attributes.NONE, now, null);
    }

    /** Whether {@code token} is the token of the last grant, even if that has ended. */
    public boolean isOf(Token token) {
        return grant != null && grant.token().equals(token);
    }

    /** Whether {@code token} holds this key, as stored. */
    public boolean isHeldBy(Token token) {
        return state == LeaseState.HELD && isOf(token);
    }

    /** The anchor that keeps this key held; null if it is not held, or held by its own beat. */
    public @Nullable AnchorRef heldThrough() {
        return state == LeaseState.HELD && grant != null ? grant.anchor() : null;
    }

    public Entry withVersion(Version newVersion) {
        return new Entry(key, newVersion, state, fence, grants, grant, attributes, createdAt, doneAt, history);
    }

    public Entry withAttributes(Version newVersion, Attributes newAttributes) {
        return new Entry(key, newVersion, state, fence, grants, grant, newAttributes, createdAt, doneAt, history);
    }

    /** The same entry with another history, not yet written under a version of its own. */
    public Entry withHistory(GrantHistory newHistory) {
        return new Entry(key, version, state, fence, grants, grant, attributes, createdAt, doneAt, newHistory);
    }

    public Entry granted(Version newVersion, Fence newFence, Grant newGrant, Attributes newAttributes) {
        return new Entry(
                key,
                newVersion,
                LeaseState.HELD,
                newFence,
                grants + 1,
                newGrant,
                newAttributes,
                createdAt,
                null,
                history);
    }

    public Entry renewed(Version newVersion, Grant renewedGrant, Attributes newAttributes) {
        return renewed(newVersion, fence, renewedGrant, newAttributes);
    }

    /** For layouts with a fence that counts renewals, too. */
    public Entry renewed(Version newVersion, Fence newFence, Grant renewedGrant, Attributes newAttributes) {
        return new Entry(
                key,
                newVersion,
                LeaseState.HELD,
                newFence,
                grants,
                renewedGrant,
                newAttributes,
                createdAt,
                null,
                history);
    }

    public Entry freed(Version newVersion) {
        return new Entry(key, newVersion, LeaseState.FREE, fence, grants, grant, attributes, createdAt, null, history);
    }

    public Entry done(Version newVersion, Instant now, Attributes newAttributes) {
        return new Entry(
                key, newVersion, LeaseState.DONE, fence, grants, grant, newAttributes, createdAt, now, history);
    }
}
