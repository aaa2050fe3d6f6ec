package dev.holdfast.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One key, its anchor, two tokens that compete for it, and every state of the key. */
final class Examples {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678901Z");
    static final Instant CREATED = NOW.minus(Duration.ofDays(1));
    static final Instant GRANTED = NOW.minusSeconds(30);
    static final Instant DONE_AT = NOW.minusSeconds(3);

    static final Duration STEP = Duration.ofMillis(500);
    static final Term TERM = Term.ofMillis(10_000);
    /** The patience for {@link #TERM} and {@link #STEP}. */
    static final Duration PATIENCE = Duration.ofMillis(10_510);
    /** The age of a live beat. */
    static final Duration YOUNG = Duration.ofSeconds(4);

    static final Key KEY = Key.of("jobs", "nightly");
    static final Token OURS = token(1);
    static final Token THEIRS = token(2);
    static final Holder US = Holder.of("us");
    static final Fence FENCE = Fence.of(41);
    static final Version SEEN = version(100);
    static final Beat BEAT = Beat.of(version(99));
    static final Attributes ATTRIBUTES = Attributes.of("a", "old").with("b", "kept");
    static final AttributePatch PATCH = AttributePatch.putting("a", "new");
    static final Attributes PATCHED = Attributes.of("a", "new").with("b", "kept");

    static final Version FRESH = version(900);
    /** {@link #NOW}, on both clocks. */
    static final ClockReading CLOCK = new ClockReading(0, NOW);

    static final WriteStamp STAMP = stamp(FRESH, NOW, Fence.NONE);

    static final Key ANCHOR = Key.ofAnchor(Holder.of("worker-7"));
    static final Fence ANCHOR_FENCE = Fence.of(70);
    static final AnchorRef THROUGH_ANCHOR = new AnchorRef(ANCHOR, ANCHOR_FENCE);
    static final Term ANCHOR_TERM = Term.ofMillis(20_000);
    /** The patience for {@link #ANCHOR_TERM} and {@link #STEP}. */
    static final Duration ANCHOR_PATIENCE = Duration.ofMillis(20_520);

    static final LeaseRequest.EvictByForce EVICT_BY_FORCE =
            new LeaseRequest.EvictByForce(Holder.of("operator"), "it hangs");

    static final ObservedEntry ABSENT = ObservedEntry.absent(10, 11);
    static final ObservedEntry ANCHOR_ABSENT = ObservedEntry.absent(12, 13);

    static final RuleSet RULES = RuleSet.of(STEP);

    private Examples() {}

    static Token token(int number) {
        return Token.of(new UUID(0x70, number));
    }

    static Version version(int number) {
        return Version.of(new UUID(0x7e, number));
    }

    static Grant grant(Token token, @Nullable AnchorRef anchor) {
        return new Grant(token, Holder.of("holder"), TERM, BEAT, GRANTED, anchor);
    }

    static Entry held(Token token) {
        return stored(LeaseState.HELD, grant(token, null));
    }

    static Entry heldThroughAnchor(Token token) {
        return stored(LeaseState.HELD, grant(token, THROUGH_ANCHOR));
    }

    static Entry freed(Token lastToken) {
        return stored(LeaseState.FREE, grant(lastToken, null));
    }

    static Entry done(Token lastToken) {
        return stored(LeaseState.DONE, grant(lastToken, null));
    }

    static Entry stored(LeaseState leaseState, Grant grant) {
        Instant doneAt = leaseState == LeaseState.DONE ? DONE_AT : null;
        return new Entry(KEY, SEEN, leaseState, FENCE, 3, grant, ATTRIBUTES, CREATED, doneAt);
    }

    /** {@code next} with a line about the grant of {@link #stored} that it ended. */
    static Entry recorded(Entry next, GrantEnd end) {
        boolean evicted = end == GrantEnd.EVICTED;
        PastGrant line = new PastGrant(
                3,
                Holder.of("holder"),
                FENCE,
                GRANTED,
                end,
                NOW,
                evicted ? EVICT_BY_FORCE.actor() : null,
                evicted ? EVICT_BY_FORCE.reason() : null);
        return next.withHistory(GrantHistory.of(next.createdAt(), List.of(line)));
    }

    /** The entry of a deleted key. */
    static Entry deleted() {
        return Entry.empty(KEY, SEEN, FENCE, CREATED);
    }

    static Entry anchorHeld() {
        return anchorHeld(ANCHOR_FENCE);
    }

    static Entry anchorHeld(Fence fence) {
        Grant grant = new Grant(token(7), Holder.of("worker-7"), ANCHOR_TERM, Beat.of(version(70)), GRANTED, null);
        return Entry.empty(ANCHOR, version(69), Fence.NONE, CREATED)
                .granted(version(71), fence, grant, Attributes.NONE);
    }

    static ObservedEntry seen(Entry entry, Duration age) {
        return observed(entry, age, Duration.ZERO, Duration.ZERO);
    }

    /** An answer of the store. For the anchor, the question was sent after the answer about the key came. */
    static ObservedEntry observed(Entry entry, @Nullable Duration age, Duration sinceAnswer, Duration sinceFirstSeen) {
        boolean ofAnchor = entry.key().equals(ANCHOR);
        return new ObservedEntry(
                new StoredEntry(entry, age),
                ofAnchor ? 12 : 10,
                ofAnchor ? 13 : 11,
                -sinceAnswer.toNanos(),
                -sinceFirstSeen.toNanos());
    }

    /** The same answer about the anchor, but with its question sent before the answer about the key came. */
    static ObservedEntry early(ObservedEntry anchor) {
        return new ObservedEntry(anchor.stored(), 11, 12, anchor.answeredNanos(), anchor.beatSeenNanos());
    }

    static WriteStamp stamp(Version version, Instant now, Fence floor) {
        return new WriteStamp(version, new ClockReading(0, now), floor);
    }

    static ObservedEntry live(Entry entry) {
        return seen(entry, YOUNG);
    }

    /** Observed long after the term and the margin. */
    static ObservedEntry expired(Entry entry) {
        return seen(entry, Duration.ofHours(1));
    }

    static LeaseRequest.Acquire acquire(Token token) {
        return new LeaseRequest.Acquire(token, US, Term.ofMillis(5_000), PATCH, null);
    }

    static Decision decide(LeaseRequest leaseRequest, @Nullable ObservedEntry seen) {
        return decide(leaseRequest, seen, null);
    }

    static Decision decide(LeaseRequest leaseRequest, @Nullable ObservedEntry seen, @Nullable ObservedEntry anchor) {
        return RULES.decisions().decide(KEY, leaseRequest, seen, anchor, STAMP);
    }

    /** The next entry of a write that is conditional on the entry seen, as every write must be. */
    static Entry written(Decision decision) {
        Change change = change(decision);
        assertThat(change.expected()).isEqualTo(SEEN);
        Entry next = requireNonNull(change.next());
        assertThat(next.version()).isEqualTo(FRESH);
        return next;
    }

    static Change change(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Write.class);
        return ((Decision.Write) decision).change();
    }

    static void assertLost(Decision decision, LostReason reason) {
        assertThat(decision).isEqualTo(new Decision.Lost(reason));
    }

    static void assertAlready(Decision decision, @Nullable Entry entry) {
        assertThat(decision).isEqualTo(new Decision.Already(entry));
    }
}
