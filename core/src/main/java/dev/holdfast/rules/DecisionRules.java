package dev.holdfast.rules;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about all requests: from (observed entry, request, time) to the next entry, or to a refusal.
 *
 * <p>All safety against other writers comes from the version: every write decided here is conditional on the version
 * that the decision was based on. So a decision on stale knowledge costs a conflict and nothing else. The other safety
 * question is when a holder has expired, and {@link ExpiryRules} decides that.
 *
 * <p>Expired but not granted to another client: renew, done, update and release need only the token of the last grant,
 * not an unexpired term. As the key was granted to no other client, this harms none.
 *
 * <p>An expired anchor is freed before any of its leases is granted to others. Otherwise the holder's late renewal
 * would still find its anchor unchanged, and the holder would rightly rely on leases that it has lost.
 *
 * <p>Stateless. Methods can be overridden so that the simulator's tests can plant bugs in them.
 */
public class DecisionRules {
    private final ExpiryRules expiryRules;
    private final FenceRules fenceRules;
    private final HistoryRules historyRules;

    public DecisionRules(ExpiryRules expiryRules, FenceRules fenceRules) {
        this(expiryRules, fenceRules, HistoryRules.USUAL);
    }

    public DecisionRules(ExpiryRules expiryRules, FenceRules fenceRules, HistoryRules historyRules) {
        this.expiryRules = expiryRules;
        this.fenceRules = fenceRules;
        this.historyRules = historyRules;
    }

    /** The rules for the histories that these decisions write. */
    public HistoryRules history() {
        return historyRules;
    }

    /**
     * Decides {@code leaseRequest}.
     *
     * @param seen the last answer about the key; null if nothing is known
     * @param anchor the last answer about the anchor that the key is held through; null if nothing is known
     */
    public Decision decide(
            Key key,
            LeaseRequest leaseRequest,
            @Nullable ObservedEntry seen,
            @Nullable ObservedEntry anchor,
            WriteStamp writeStamp) {
        if (seen == null) {
            // Nothing is known. A grant starts with the guess that the key is new. If it is not, the conflict returns
            // the entry, at no more cost than a read.
            return leaseRequest.mayCreate()
                    ? decide(key, leaseRequest, ObservedEntry.absent(0, 0), null, writeStamp)
                    : new Decision.ReadFirst(key);
        }
        return leaseRequest.decide(this, new Scene(key, seen, anchor, writeStamp));
    }

    protected Decision acquire(LeaseRequest.Acquire request, Scene scene) {
        Entry entry = scene.entry();
        if (entry == null) {
            Entry blank = Entry.empty(scene.key, scene.stamp.version(), scene.stamp.floor(), scene.stamp.now());
            return scene.write(grant(blank, request, scene.stamp));
        }
        if (entry.isHeldBy(request.token())) {
            // This request was granted before, and its answer was late or lost: begin the term anew.
            return scene.write(renewed(entry, null, entry.attributes(), scene.stamp));
        }
        return unlessHeld(
                scene,
                () -> entry.state() == LeaseState.DONE
                        ? Decision.Finished.of(entry)
                        : unlessReserved(entry, request, scene));
    }

    private Decision unlessReserved(Entry entry, LeaseRequest.Acquire request, Scene scene) {
        Decision.Reserved reserved = request.yields() ? reservation(entry, request.holder(), scene.stamp.now()) : null;
        return reserved == null
                ? scene.write(grant(historyRules.taken(entry, standing(scene), scene.stamp), request, scene.stamp))
                : reserved;
    }

    protected Decision.@Nullable Reserved reservation(Entry entry, Holder asker, Instant now) {
        return SuccessionRules.reservation(entry, asker, now);
    }

    protected Decision renew(LeaseRequest.Renew request, Scene scene) {
        Entry entry = scene.entry();
        if (entry == null || !request.isProvedBy(entry)) {
            return lost(entry, request.token());
        }
        EntryStanding entryStanding = standing(scene);
        if (entryStanding.kind() == EntryStanding.Kind.ANCHOR_UNSEEN) {
            return readAnchor(entry);
        }
        if (entryStanding.kind() == EntryStanding.Kind.ORPHANED) {
            return new Decision.Lost(LostReason.EVICTED);
        }
        Attributes attributes = request.attributes().applyTo(entry.attributes());
        return scene.write(renewed(entry, request, attributes, scene.stamp));
    }

    protected Decision release(LeaseRequest.Release request, Scene scene) {
        Entry entry = scene.entry();
        if (entry != null && entry.isHeldBy(request.token())) {
            Attributes attributes = SuccessionRules.naming(entry.attributes(), request.next(), scene.stamp.now());
            Entry ended = historyRules.ended(entry, GrantEnd.RELEASED, scene.stamp);
            return scene.free(ended.withAttributes(scene.stamp.version(), attributes));
        }
        if (entry != null && entry.state() == LeaseState.FREE && entry.isOf(request.token())) {
            return new Decision.Already(entry);
        }
        return lost(entry, request.token());
    }

    /** The holder releases the key itself, so it need not have expired. */
    protected Decision handOver(LeaseRequest.HandOver request, Scene scene) {
        Entry entry = scene.entry();
        if (entry != null && entry.isHeldBy(request.next().token())) {
            return acquire(request.next(), scene); // Handed over before, and the answer was late or lost.
        }
        if (entry != null && entry.isHeldBy(request.token())) {
            Entry ended = historyRules.ended(entry, GrantEnd.HANDED_OVER, scene.stamp);
            return scene.write(grant(ended, request.next(), scene.stamp));
        }
        return release(new LeaseRequest.Release(request.token()), scene);
    }

    protected Decision releaseUndelivered(LeaseRequest.ReleaseUndelivered request, Scene scene) {
        Entry entry = scene.entry();
        boolean isUnchanged = entry != null
                && entry.isHeldBy(request.token())
                && requireNonNull(entry.grant()).beat().equals(request.beat());
        return isUnchanged ? end(scene, GrantEnd.UNDELIVERED) : new Decision.Already(entry);
    }

    protected Decision done(LeaseRequest.Done request, Scene scene) {
        Entry entry = scene.entry();
        if (entry != null && entry.isHeldBy(request.token())) {
            Attributes attributes = request.attributes().applyTo(entry.attributes());
            Entry ended = historyRules.ended(entry, GrantEnd.DONE, scene.stamp);
            return scene.write(ended.done(scene.stamp.version(), scene.stamp.now(), attributes));
        }
        if (entry != null && entry.state() == LeaseState.DONE && entry.isOf(request.token())) {
            return new Decision.Already(entry);
        }
        return lost(entry, request.token());
    }

    protected Decision update(LeaseRequest.Update request, Scene scene) {
        Entry entry = scene.entry();
        if (entry == null || !entry.isHeldBy(request.token())) {
            return lost(entry, request.token());
        }
        Attributes attributes = request.attributes().applyTo(entry.attributes());
        return scene.write(entry.withAttributes(scene.stamp.version(), attributes));
    }

    protected Decision reopen(Scene scene) {
        Entry entry = scene.entry();
        if (entry == null) {
            return new Decision.Already(null);
        }
        return unlessHeld(
                scene, () -> entry.state() == LeaseState.DONE ? scene.free(entry) : new Decision.Already(entry));
    }

    protected Decision delete(LeaseRequest.Delete request, Scene scene) {
        Entry entry = scene.entry();
        if (entry == null || (entry.state() == LeaseState.FREE && entry.grants() == 0)) {
            return new Decision.Already(entry);
        }
        Supplier<Decision> empty = () -> {
            if (!fenceRules.outliveDeletion()) {
                return scene.remove();
            }
            Entry blank = Entry.empty(scene.key, scene.stamp.version(), entry.fence(), scene.stamp.now());
            return scene.write(blank);
        };
        boolean isHolder = request.token() != null && entry.isHeldBy(request.token());
        return isHolder ? empty.get() : unlessHeld(scene, empty);
    }

    protected Decision evictExpired(Scene scene) {
        Entry entry = scene.entry();
        if (entry == null || entry.state() != LeaseState.HELD) {
            return new Decision.Already(entry);
        }
        return unlessHeld(scene, () -> end(scene, historyRules.endOf(standing(scene))));
    }

    protected Decision evictByForce(LeaseRequest.EvictByForce request, Scene scene) {
        Entry entry = scene.entry();
        if (entry == null || entry.state() != LeaseState.HELD) {
            return new Decision.Already(entry);
        }
        return scene.free(historyRules.evicted(entry, request, scene.stamp));
    }

    /** Frees a key that is held, and records the end of its grant. */
    private Decision end(Scene scene, GrantEnd end) {
        return scene.free(historyRules.ended(scene.presentEntry(), end, scene.stamp));
    }

    protected Decision cleanUp(LeaseRequest.CleanUp request, Scene scene) {
        Entry entry = scene.entry();
        if (entry == null) {
            return new Decision.Already(null);
        }
        AnchorRef anchor = entry.grant() == null ? null : entry.grant().anchor();
        if (anchor != null && (scene.anchor == null || !scene.anchor.isAfter(scene.seen))) {
            return new Decision.ReadFirst(anchor.key());
        }
        return unlessHeld(scene, () -> {
            ClockReading now = scene.stamp.at();
            Duration idleFor = anchor == null || scene.anchor == null
                    ? expiryRules.length(entry, scene.seen, now)
                    : expiryRules.sinceEnd(anchor, scene.anchor, now);
            return fenceRules.isRemovable(entry, idleFor, now.wall(), request.keepDone())
                    ? scene.remove()
                    : new Decision.Already(entry);
        });
    }

    protected Decision importRow(LeaseRequest.Import request, Scene scene) {
        return ImportRules.decide(request, scene, fenceRules);
    }

    /** The current standing of the key, for a listing. */
    public final EntryStanding standing(ObservedEntry seen, @Nullable ObservedEntry anchor, ClockReading now) {
        Entry entry = seen.entry();
        if (entry == null) {
            return EntryStanding.of(EntryStanding.Kind.FREE);
        }
        return expiryRules.standing(entry, seen, anchor, now);
    }

    /** The least time since the key was granted or last renewed, as far as is known. */
    public final Duration sinceBeat(ObservedEntry seen, ClockReading now) {
        Entry entry = seen.entry();
        return entry == null ? Duration.ZERO : expiryRules.length(entry, seen, now);
    }

    private EntryStanding standing(Scene scene) {
        return standing(scene.seen, scene.anchor, scene.stamp.at());
    }

    /** Refuses while the key is held. If its anchor has expired, the anchor must be evicted first. */
    private Decision unlessHeld(Scene scene, Supplier<Decision> otherwise) {
        Entry entry = scene.presentEntry();
        EntryStanding entryStanding = standing(scene);
        return switch (entryStanding.kind()) {
            case HELD -> Decision.Held.of(entry, entryStanding.remaining());
            case ANCHOR_UNSEEN -> readAnchor(entry);
            case ANCHOR_SILENT -> anchorSilent(scene, otherwise);
            case FREE, DONE, SILENT, ORPHANED -> otherwise.get();
        };
    }

    /** The next renewal of the anchor must fail before any lease held through it is granted to others. */
    protected Decision anchorSilent(Scene scene, Supplier<Decision> otherwise) {
        return new Decision.EvictFirst(anchorOf(scene.presentEntry()).key());
    }

    private static Decision readAnchor(Entry entry) {
        return new Decision.ReadFirst(anchorOf(entry).key());
    }

    private static AnchorRef anchorOf(Entry entry) {
        return requireNonNull(entry.heldThrough());
    }

    private Entry grant(Entry entry, LeaseRequest.Acquire request, WriteStamp writeStamp) {
        Grant grant = new Grant(
                request.token(),
                request.holder(),
                request.term(),
                Beat.of(writeStamp.version()),
                writeStamp.now(),
                request.anchor());
        Attributes known = SuccessionRules.withoutMark(entry.attributes());
        Attributes attributes = request.onlyIfNew() && entry.grants() > 0
                ? known
                : request.attributes().applyTo(known);
        return entry.granted(writeStamp.version(), fenceRules.next(entry.fence(), writeStamp), grant, attributes);
    }

    private Entry renewed(
            Entry entry, LeaseRequest.@Nullable Renew request, Attributes attributes, WriteStamp writeStamp) {
        Grant last = requireNonNull(entry.grant());
        Token successor = request == null ? null : request.successor();
        Grant proved = successor == null ? last : last.withToken(successor);
        Grant grant = request == null || request.holder() == null ? proved : proved.withHolder(request.holder());
        var term = request == null || request.term() == null ? grant.term().recorded() : request.term();
        Fence fence = fenceRules.renewed(entry.fence());
        return entry.renewed(
                writeStamp.version(), fence, grant.renewed(Beat.of(writeStamp.version()), term), attributes);
    }

    private static Decision lost(@Nullable Entry entry, Token token) {
        boolean grantedToAnother = entry != null && entry.grant() != null && !entry.isOf(token);
        return new Decision.Lost(grantedToAnother ? LostReason.TAKEN : LostReason.EVICTED);
    }

    /** All inputs of a decision. */
    public record Scene(
            Key key, ObservedEntry seen, @Nullable ObservedEntry anchor, WriteStamp stamp) {
        @Nullable
        Entry entry() {
            return seen.entry();
        }

        Entry presentEntry() {
            return requireNonNull(seen.entry());
        }

        /** Writes {@code next}, if the entry is still the one that was seen. */
        Decision write(Entry next) {
            Entry entry = entry();
            return new Decision.Write(entry == null ? Change.insert(next) : Change.replace(entry, next));
        }

        /** @param ended the entry that was seen, perhaps with one more line in its history */
        Decision free(Entry ended) {
            return write(ended.freed(stamp.version()));
        }

        Decision remove() {
            return new Decision.Write(Change.remove(key, presentEntry().version()));
        }
    }
}
