package dev.holdfast.internal.client;

import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Relay.AnchorProof;
import dev.holdfast.Relay.Listed;
import dev.holdfast.Relay.ListedPage;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.Survey;
import dev.holdfast.internal.engine.Survey.Resolved;
import dev.holdfast.internal.engine.Survey.ResolvedPage;
import dev.holdfast.internal.rules.Standing;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.Limits;
import dev.holdfast.model.State;
import dev.holdfast.spi.Scan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers what is asked of keys, in terms of how they stand and not of what is stored. */
final class Listing implements Lookup {
    /** Marks a cursor of the second part of a listing of free keys: those stored as held that have run out. */
    private static final String SECOND_PART = "held:";

    private static final String FIRST_PART = "free:";

    private final Engine engine;
    private final Survey survey;

    Listing(Engine engine, Duration timeout) {
        this.engine = engine;
        this.survey = new Survey(engine, timeout);
    }

    Survey survey() {
        return survey;
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> get(Key key) {
        return survey.get(key).thenApply(found -> found.map(Listing::status));
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through) {
        return get(key); // Nothing is hidden from who is on the store.
    }

    @Override
    public CompletableFuture<StatusPage> page(LeaseFilter filter, @Nullable String cursor, int limit) {
        return listed(filter, cursor, limit)
                .thenApply(page -> new StatusPage(
                        page.entries().stream().map(Listed::status).toList(), page.cursor()));
    }

    /** @see dev.holdfast.Relay#list */
    CompletableFuture<ListedPage> listed(LeaseFilter filter, @Nullable String cursor, int limit) {
        Check.text("prefix", filter.prefix(), Limits.NAMESPACE_BYTES);
        Scan scan = new Scan(
                filter.prefix(),
                filter.state().orElse(null),
                filter.holder().orElse(null),
                filter.token().orElse(null),
                cursor,
                limit);
        return filter.state().equals(Optional.of(State.FREE)) ? freePage(scan, cursor) : matching(scan, filter);
    }

    @Override
    public CompletableFuture<Long> cleanUp(CleanUpOptions options) {
        return new Sweep(engine, survey, options).run();
    }

    private CompletableFuture<ListedPage> matching(Scan scan, LeaseFilter filter) {
        return survey.page(scan)
                .thenApply(page -> new ListedPage(listed(page, filter.state().orElse(null)), page.cursor()));
    }

    /** @param state null for any */
    private static List<Listed> listed(ResolvedPage page, @Nullable State state) {
        return page.entries().stream()
                .map(resolved -> new Listed(status(resolved), resolved.sinceBeat()))
                .filter(listed -> state == null || state == listed.status().state())
                .toList();
    }

    /** Free are those stored so, and those stored as held that have run out: two scans, one after the other. */
    private CompletableFuture<ListedPage> freePage(Scan scan, @Nullable String cursor) {
        if (cursor != null && !cursor.startsWith(FIRST_PART) && !cursor.startsWith(SECOND_PART)) {
            throw Check.bad("cursor", cursor, "one that the page before ended with");
        }
        boolean second = cursor != null && cursor.startsWith(SECOND_PART);
        String inner = cursor == null ? null : cursor.substring(FIRST_PART.length());
        Scan part = new Scan(
                scan.prefix(),
                second ? State.HELD : State.FREE,
                scan.holder(),
                scan.token(),
                inner == null || inner.isEmpty() ? null : inner,
                scan.limit());
        return survey.page(part)
                .thenApply(page -> new ListedPage(listed(page, State.FREE), nextCursor(second, page.cursor())));
    }

    private static @Nullable String nextCursor(boolean second, @Nullable String inner) {
        if (inner != null) {
            return (second ? SECOND_PART : FIRST_PART) + inner;
        }
        return second ? null : SECOND_PART;
    }

    private static LeaseStatus status(Resolved resolved) {
        Standing standing = resolved.standing();
        State state = standing.kind() == Standing.Kind.DONE ? State.DONE : standing.isFree() ? State.FREE : State.HELD;
        Grant grant = resolved.entry().grant();
        Duration remaining = grant == null ? standing.remaining() : grant.term().atMost(standing.remaining());
        return new LeaseStatus(resolved.entry(), state, remaining);
    }
}
