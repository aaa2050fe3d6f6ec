package dev.holdfast.rules;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request about one key. */
public sealed interface LeaseRequest {
    /**
     * Grant the key to {@code holder}. Sent again with the same token, it is the same request.
     *
     * @param anchor the anchor that keeps the lease alive; null if the lease is renewed itself
     * @param onlyIfNew whether {@code attributes} apply only to a key that was never granted; any other key keeps its
     *     own
     * @param yields whether it waits while the key is reserved for another holder, see {@link SuccessionRules}
     */
    record Acquire(
            Token token,
            Holder holder,
            Term term,
            AttributePatch attributes,
            @Nullable AnchorRef anchor,
            boolean onlyIfNew,
            boolean yields)
            implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.acquire(this, scene);
        }

        @Override
        public boolean mayCreate() {
            return true;
        }

        @Override
        public @Nullable Token grantee() {
            return token;
        }

        @Override
        public void require(FeatureRules features, Key key) {
            features.require(anchor != null, StoreFeature.ANCHORS, key);
            features.requireAttributes(attributes, key);
            features.requireTerm(term);
        }

        public Acquire(Token token, Holder holder, Term term, AttributePatch attributes, @Nullable AnchorRef anchor) {
            this(token, holder, term, attributes, anchor, false);
        }

        public Acquire(
                Token token,
                Holder holder,
                Term term,
                AttributePatch attributes,
                @Nullable AnchorRef anchor,
                boolean onlyIfNew) {
            this(token, holder, term, attributes, anchor, onlyIfNew, false);
        }

        /** The same, as a request that yields or not. */
        public Acquire yielding(boolean newYields) {
            return yields == newYields
                    ? this
                    : new Acquire(token, holder, term, attributes, anchor, onlyIfNew, newYields);
        }

        /** A request without attributes and without an anchor, under a token that was not used before. */
        public static Acquire of(Holder holder, Duration term, HostEnvironment environment) {
            return new Acquire(Token.of(environment.randomId()), holder, Term.of(term), AttributePatch.NONE, null);
        }

        /** The same, kept alive by an anchor, whose term it has. */
        public Acquire under(AnchorRef newAnchor, Term anchorTerm) {
            return new Acquire(token, holder, anchorTerm, attributes, newAnchor, onlyIfNew, yields);
        }

        public Acquire withAttributes(AttributePatch newAttributes) {
            return new Acquire(token, holder, term, newAttributes, anchor, onlyIfNew, yields);
        }
    }

    /**
     * Begin a new term for the holder with {@code token}; a null term keeps the previous length.
     *
     * @param successor the token from then on; null to keep it. It proves the lease as well as {@code token} does: an
     *     earlier attempt with it may have been applied without an answer.
     * @param holder the name of the holder from then on; null to keep it
     */
    record Renew(
            Token token,
            @Nullable Term term,
            AttributePatch attributes,
            @Nullable Token successor,
            @Nullable Holder holder)
            implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.renew(this, scene);
        }

        @Override
        public boolean repeatsHarmlessly() {
            return attributes.isEmpty();
        }

        @Override
        public boolean mustBeSettled() {
            return false;
        }

        @Override
        public void require(FeatureRules features, Key key) {
            features.requireAttributes(attributes, key);
            features.require(successor == null, StoreFeature.LASTING_TOKEN, key);
            if (term != null) {
                features.requireTerm(term);
            }
        }

        public Renew(Token token, @Nullable Term term, AttributePatch attributes) {
            this(token, term, attributes, null);
        }

        public Renew(Token token, @Nullable Term term, AttributePatch attributes, @Nullable Token successor) {
            this(token, term, attributes, successor, null);
        }

        @Override
        public boolean needsLivingAnchor() {
            return true;
        }

        boolean isProvedBy(Entry entry) {
            return entry.isHeldBy(token) || (successor != null && entry.isHeldBy(successor));
        }
    }

    /**
     * Release the key.
     *
     * @param next the holder that should be granted it next; null if any
     */
    record Release(Token token, @Nullable Holder next) implements LeaseRequest {
        public Release(Token token) {
            this(token, null);
        }

        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.release(this, scene);
        }
    }

    /** Release the key and grant it to {@code next}, which waits for it. Either both happen or neither. */
    record HandOver(Token token, Acquire next) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.handOver(this, scene);
        }

        @Override
        public @Nullable Token grantee() {
            return next.token;
        }
    }

    /**
     * Release a grant that reached no caller. If its beat has changed, it was requested and granted again, or renewed:
     * then a caller may rely on it, and it is kept.
     */
    record ReleaseUndelivered(Token token, Beat beat) implements LeaseRequest {
        public static ReleaseUndelivered of(Entry granted) {
            Grant grant = requireNonNull(granted.grant());
            return new ReleaseUndelivered(grant.token(), grant.beat());
        }

        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.releaseUndelivered(this, scene);
        }
    }

    /** Mark the key done, for ever. */
    record Done(Token token, AttributePatch attributes) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.done(this, scene);
        }

        /** It may have marked the key done, and the key may have been reopened since. */
        @Override
        public boolean canBeUndone() {
            return true;
        }

        @Override
        public void require(FeatureRules features, Key key) {
            features.require(StoreFeature.DONE, key);
        }
    }

    /** Change the attributes of a held key, and nothing else. */
    record Update(Token token, AttributePatch attributes) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.update(this, scene);
        }

        @Override
        public boolean repeatsHarmlessly() {
            return false;
        }

        @Override
        public void require(FeatureRules features, Key key) {
            features.require(StoreFeature.ATTRIBUTES, key);
        }
    }

    /** Make a done key free again. */
    record Reopen() implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.reopen(scene);
        }

        @Override
        public boolean repeatsHarmlessly() {
            return false;
        }

        @Override
        public void require(FeatureRules features, Key key) {
            features.require(StoreFeature.DONE, key);
        }
    }

    /** Delete everything about a key but its fence. With {@code token}, the holder may do it while it holds the key. */
    record Delete(@Nullable Token token) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.delete(this, scene);
        }

        @Override
        public boolean repeatsHarmlessly() {
            return false;
        }
    }

    /** Free a key if its lease has expired. */
    record EvictExpired() implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.evictExpired(scene);
        }

        @Override
        public boolean mustBeSettled() {
            return false;
        }
    }

    /**
     * Free a key regardless of its holder.
     *
     * @param actor the name of the client that evicts
     * @param reason for operators
     */
    record EvictByForce(Holder actor, String reason) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.evictByForce(this, scene);
        }

        @Override
        public boolean repeatsHarmlessly() {
            return false;
        }
    }

    /**
     * Remove a key that has been idle for so long that its entry is no longer needed.
     *
     * @param keepDone how long a done key is kept after it was done; null: for ever
     */
    record CleanUp(@Nullable Duration keepDone) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.cleanUp(this, scene);
        }

        /** Also after the last grant has ended: it counts from the end of the anchor's. */
        @Override
        public @Nullable AnchorRef anchorOf(Entry entry) {
            return entry.grant() == null ? null : entry.grant().anchor();
        }

        @Override
        public boolean mustBeSettled() {
            return false;
        }

        @Override
        public void require(FeatureRules features, Key key) {
            features.require(StoreFeature.CLEAN_UP, key);
        }
    }

    /**
     * Write a row of another tool, unless Holdfast has written the key since.
     *
     * @param token of the row's last grant; if that had none, a random one that no caller gets
     */
    record Import(ImportedRow row, Token token) implements LeaseRequest {
        @Override
        public Decision decide(DecisionRules rules, DecisionRules.Scene scene) {
            return rules.importRow(this, scene);
        }

        @Override
        public boolean mayCreate() {
            return true;
        }
    }

    /** Applies the rule for this kind of request. A new kind does not compile without one. */
    Decision decide(DecisionRules rules, DecisionRules.Scene scene);

    /** Whether it may start with the guess that the key has no entry. */
    default boolean mayCreate() {
        return false;
    }

    /** The token that it requests a grant for; null if it requests none. */
    default @Nullable Token grantee() {
        return null;
    }

    /**
     * Whether it may be decided anew although it may have been applied already. Not if a second application would undo
     * a later write: for example, a later update of the same attribute.
     */
    default boolean repeatsHarmlessly() {
        return true;
    }

    /** Whether a write with an unknown outcome must be barred. Not if it applies only while the key is unchanged. */
    default boolean mustBeSettled() {
        return true;
    }

    /**
     * Whether a refusal proves nothing about an earlier attempt that may have been applied: a later write may have undone
     * it.
     */
    default boolean canBeUndone() {
        return false;
    }

    /**
     * Whether its write assumes that the anchor of the key is held. The store compares the version of the key only, so
     * that assumption must be fresh.
     */
    default boolean needsLivingAnchor() {
        return false;
    }

    /** The anchor that matters to it: the one that the key is held through; null if there is none. */
    default @Nullable AnchorRef anchorOf(Entry entry) {
        return entry.heldThrough();
    }

    /** Checks that the store has the features that this kind of request needs. */
    default void require(FeatureRules features, Key key) {}
}
