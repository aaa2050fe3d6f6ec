package dev.holdfast.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.StatusLookup.ListedPage;
import dev.holdfast.service.StatusLookup.ListedStatus;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One list: pages of the store, sent as fast as the client reads them. While a page is being sent, the next one is
 * read. Between two pages the stream lets other lists have their turn. Confined to the event loop of the call.
 *
 * <p>A page is sent as a whole, because sending single handles would cost a thread switch for each of them.
 */
final class HandleStream {
    /** Large enough that the round trip hardly matters. */
    private static final int LARGEST_PAGE = 500;

    /** Smaller, because metadata may be as large as 64 KB. */
    private static final int FIRST_PAGE = 100;

    private static final int SMALLEST_PAGE = 10;

    /** After a page larger than this, the next one has half as many handles; after a smaller one, twice as many. */
    private static final long LARGE_PAGE_BYTES = 256 << 10;

    /** A client that takes longer than this to read one page may be slow: the stream gives up its turn. */
    private static final Duration PARKED_AFTER = Duration.ofMillis(100);

    private final ServiceRequestContext ctx;
    private final LeaseService service;
    private final HandleFilter filter;
    private final boolean withIds;
    private final ListAdmission turns;
    private final ServerCallStreamObserver<Handle> observer;
    private final Runnable onTurn = this::turnHasCome;
    private @Nullable String cursor;
    private long toSkip;
    private Duration patience = Duration.ZERO;
    private @Nullable CompletionStage<ListedPage> ahead;
    private @Nullable Future<?> clock;
    private int pageSize = FIRST_PAGE;
    private long pageBytes;
    private State state = State.QUEUED;

    /** The event that the stream waits for. */
    private enum State {
        /** Its turn. */
        QUEUED,
        /** The store. */
        READING,
        /** Its own event loop, which sends a page. */
        SENDING,
        /** The reading client, while keeping its turn. */
        DRAINING,
        /** The reading client, without a turn. */
        PARKED,
        OVER
    }

    HandleStream(
            ServiceRequestContext ctx,
            LeaseService service,
            HandleFilter filter,
            boolean withIds,
            ListAdmission turns,
            ServerCallStreamObserver<Handle> observer) {
        this.ctx = ctx;
        this.service = service;
        this.filter = filter;
        this.withIds = withIds;
        this.turns = turns;
        this.observer = observer;
    }

    /**
     * Starts the list. Called on the thread of the call, before it returns.
     *
     * @param offset how many handles to skip, unsigned
     * @param readerPatience how long the client may take to read one page before it is cut off
     * @return false if too many lists are queued already
     */
    boolean begin(long offset, Duration readerPatience) {
        patience = readerPatience;
        toSkip = offset < 0 ? Long.MAX_VALUE : offset;
        observer.setOnReadyHandler(() -> ctx.eventLoop().execute(this::readerMayBeReady));
        observer.setOnCancelHandler(() -> ctx.eventLoop().execute(this::end));
        return turns.enter(onTurn);
    }

    private void turnHasCome() {
        ctx.eventLoop().execute(() -> {
            if (state == State.OVER) {
                turns.leave();
            } else {
                await(readPage());
            }
        });
    }

    private CompletionStage<ListedPage> readPage() {
        return Futures.contain(() -> service.statuses().list(filter.stored(), cursor, pageSize));
    }

    private void await(CompletionStage<ListedPage> page) {
        state = State.READING;
        Futures.whenDone(
                page,
                (read, error) -> ctx.eventLoop().execute(() -> {
                    if (state == State.OVER) {
                        return;
                    }
                    try {
                        if (read == null) {
                            throw WireErrors.of(error);
                        }
                        process(read);
                    } catch (RuntimeException e) {
                        fail(e);
                    }
                }));
    }

    private void process(ListedPage page) {
        cursor = page.cursor();
        @Nullable CompletionStage<ListedPage> next = cursor == null || turns.isWanted() ? null : readPage();
        state = State.SENDING;
        send(page.entries());
        if (cursor == null) {
            end();
            observer.onCompleted();
            return;
        }
        pageSize = pageBytes > LARGE_PAGE_BYTES
                ? Math.max(SMALLEST_PAGE, pageSize / 2)
                : Math.min(LARGEST_PAGE, pageSize * 2);
        ahead = next;
        state = State.DRAINING;
        if (observer.isReady()) {
            readerMayBeReady();
        } else {
            clock(PARKED_AFTER, this::park);
        }
    }

    private void send(List<ListedStatus> page) {
        Instant now = service.environment().now();
        pageBytes = 0;
        for (ListedStatus listed : page) {
            if (!filter.matches(listed.status())) {
                continue;
            }
            if (toSkip > 0) {
                toSkip--;
            } else {
                Handle handle = HandleMessages.listed(listed, now, withIds);
                pageBytes += handle.getSerializedSize();
                observer.onNext(handle);
            }
        }
    }

    /** Continues if the client has read the page. Called at any time, also while a page is being sent. */
    private void readerMayBeReady() {
        boolean waited = state == State.DRAINING || state == State.PARKED;
        if (!waited || !observer.isReady()) {
            return;
        }
        stopClock();
        if (ahead != null) {
            CompletionStage<ListedPage> next = ahead;
            ahead = null;
            await(next);
        } else if (state == State.PARKED) {
            state = State.QUEUED;
            turns.unpark(pageBytes);
            turns.enterAgain(onTurn);
        } else {
            state = State.QUEUED;
            turns.pass(onTurn);
        }
    }

    private void park() {
        ahead = null; // The page can be read again. Only data already sent is kept for a slow reader.
        if (turns.park(pageBytes)) {
            state = State.PARKED;
        }
        clock(patience, this::cutOff);
    }

    private void cutOff() {
        fail(Status.ABORTED
                .withDescription("the client took more than " + patience.toMillis() + " ms to read one page")
                .asRuntimeException());
    }

    private void clock(Duration time, Runnable then) {
        clock = ctx.eventLoop().schedule(then, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void fail(RuntimeException error) {
        end();
        observer.onError(WireErrors.of(error));
    }

    /** Releases everything that the stream holds. Idempotent. */
    private void end() {
        State before = state;
        state = State.OVER;
        ahead = null;
        stopClock();
        switch (before) {
            case QUEUED -> turns.stopWaiting(onTurn); // A turn that is being granted is returned on arrival.
            case READING, SENDING, DRAINING -> turns.leave();
            case PARKED -> turns.unpark(pageBytes);
            case OVER -> {}
        }
    }

    private void stopClock() {
        if (clock != null) {
            clock.cancel(false);
            clock = null;
        }
    }
}
