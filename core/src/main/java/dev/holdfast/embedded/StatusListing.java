package dev.holdfast.embedded;

import static java.util.Objects.requireNonNull;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.internal.pipeline.RetryingReader;
import dev.holdfast.internal.waiting.WaitQueues;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.EntryStanding;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reads and listings of keys, by their current standing and not by the stored state. */
record StatusListing(
        LeaseService service, RetryingReader reader, RuleSet ruleSet, WaitQueues waitQueues, RenewalMargins margins)
        implements StatusLookup {
    /**
     * The prefix of a cursor in the second part of a listing of free keys: the keys that are stored as held and have
     * expired.
     */
    private static final String SECOND_PART = "held:";

    private static final String FIRST_PART = "free:";

    /**
     * A key that was held through an anchor mostly still is, so the known anchor is read together with it. A second read
     * is needed only if the anchor is another one, or its answer may be out of date.
     */
    @Override
    public CompletableFuture<Optional<LeaseStatus>> get(Key key) {
        return observe(key)
                .thenApply(observed -> observed.seen().entry() == null
                        ? Optional.empty()
                        : Optional.of(
                                resolve(observed.seen(), observed.anchor()).status()));
    }

    /**
     * A key as the store returned it.
     *
     * @param anchor the anchor that it is held through; null if there is none
     */
    record ObservedKey(ObservedEntry seen, @Nullable ObservedEntry anchor) {}

    /** Reads a key, and the anchor that it is held through. */
    CompletableFuture<ObservedKey> observe(Key key) {
        Set<Key> keys = new LinkedHashSet<>(Set.of(key));
        anchorOf(service.lastObserved(key)).ifPresent(keys::add);
        return reader.read(keys).thenCompose(found -> {
            ObservedEntry seen = requireNonNull(found.get(key));
            Optional<Key> anchor = anchorOf(seen).filter(it -> isUnseen(seen, found.get(it)));
            CompletableFuture<Map<Key, ObservedEntry>> all =
                    anchor.isPresent() ? reader.read(Set.of(anchor.get())) : CompletableFuture.completedFuture(found);
            return all.thenApply(known ->
                    new ObservedKey(seen, anchorOf(seen).map(known::get).orElse(null)));
        });
    }

    private boolean isUnseen(ObservedEntry seen, @Nullable ObservedEntry anchor) {
        return ruleSet.decisions().standing(seen, anchor, service.reading()).kind() == EntryStanding.Kind.ANCHOR_UNSEEN;
    }

    private static Optional<Key> anchorOf(@Nullable ObservedEntry seen) {
        return Optional.ofNullable(seen)
                .map(ObservedEntry::entry)
                .map(Entry::heldThrough)
                .map(AnchorRef::key);
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through) {
        return get(key); // A client with direct access to the store sees every token.
    }

    @Override
    public CompletableFuture<LeaseExplanation> explain(Key key) {
        return observe(key)
                .thenApply(observed ->
                        new LeaseExplainer(ruleSet, this, margins).explain(key, observed, waitQueues.line(key)));
    }

    @Override
    public CompletableFuture<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        ArgumentCheck.text("prefix", filter.prefix(), SizeLimits.NAMESPACE_BYTES);
        filter.namePrefix().ifPresent(it -> ArgumentCheck.text("namePrefix", it, SizeLimits.NAME_BYTES));
        EntryScan entryScan = new EntryScan(
                filter.prefix(),
                filter.namePrefix().orElse(null),
                filter.state().orElse(null),
                filter.holder().orElse(null),
                filter.token().orElse(null),
                cursor,
                limit);
        return entryScan.state() == LeaseState.FREE ? freePage(entryScan) : page(entryScan, entryScan.state());
    }

    @Override
    public CompletableFuture<Long> cleanUp(CleanUpOptions options) {
        return new CleanUpRound(service, reader, options).run();
    }

    /**
     * The entries that are now in {@code state}; null for any. The anchors of all entries are read in one batch.
     */
    private CompletableFuture<ListedPage> page(EntryScan entryScan, @Nullable LeaseState state) {
        return reader.observe(entryScan).thenCompose(page -> {
            Set<Key> anchors = new LinkedHashSet<>();
            page.entries().forEach(seen -> anchorOf(seen).ifPresent(anchors::add));
            return reader.read(anchors).thenApply(known -> {
                List<ListedStatus> listed = page.entries().stream()
                        .map(seen -> withoutHistory(
                                resolve(seen, anchorOf(seen).map(known::get).orElse(null))))
                        .filter(it -> state == null || state == it.status().state())
                        .toList();
                return new ListedPage(listed, page.cursor());
            });
        });
    }

    /** Free keys are stored as free, or stored as held and expired. So there are two scans, one after the other. */
    private CompletableFuture<ListedPage> freePage(EntryScan entryScan) {
        String cursor = entryScan.cursor() == null ? FIRST_PART : entryScan.cursor();
        boolean second = cursor.startsWith(SECOND_PART);
        if (!second && !cursor.startsWith(FIRST_PART)) {
            throw ArgumentCheck.bad("cursor", cursor, "the cursor of a previous page");
        }
        String inner = cursor.substring(FIRST_PART.length());
        EntryScan part = new EntryScan(
                entryScan.prefix(),
                entryScan.namePrefix(),
                second ? LeaseState.HELD : LeaseState.FREE,
                entryScan.holder(),
                entryScan.token(),
                inner.isEmpty() ? null : inner,
                entryScan.limit());
        return page(part, LeaseState.FREE)
                .thenApply(page -> new ListedPage(page.entries(), nextCursor(second, page.cursor())));
    }

    private static @Nullable String nextCursor(boolean second, @Nullable String inner) {
        if (inner != null) {
            return (second ? SECOND_PART : FIRST_PART) + inner;
        }
        return second ? null : SECOND_PART;
    }

    /** Histories would make a page several times as large, and few readers of a listing look at them. */
    private static ListedStatus withoutHistory(ListedStatus listed) {
        LeaseStatus status = listed.status();
        Entry entry = status.entry();
        return entry.history().isEmpty()
                ? listed
                : new ListedStatus(
                        new LeaseStatus(entry.withHistory(GrantHistory.NONE), status.state(), status.remaining()),
                        listed.sinceBeat());
    }

    /** The status of a key that has an entry. */
    ListedStatus resolve(ObservedEntry seen, @Nullable ObservedEntry anchor) {
        Entry entry = requireNonNull(seen.entry());
        ClockReading now = service.reading();
        EntryStanding standing = ruleSet.decisions().standing(seen, anchor, now);
        LeaseState state = standing.kind() == EntryStanding.Kind.DONE
                ? LeaseState.DONE
                : standing.isFree() ? LeaseState.FREE : LeaseState.HELD;
        Grant grant = entry.grant();
        Duration remaining = grant == null ? standing.remaining() : grant.term().atMost(standing.remaining());
        // A lease that is held through an anchor is as old as the last beat of its anchor.
        return new ListedStatus(
                new LeaseStatus(entry, state, remaining),
                ruleSet.decisions().sinceBeat(anchor == null ? seen : anchor, now));
    }
}
