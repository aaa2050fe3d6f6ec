package dev.holdfast.server.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Relay.Listed;
import dev.holdfast.Relay.ListedPage;
import dev.holdfast.RelayingLeases;
import dev.holdfast.internal.Futures;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.server.wire.WireErrors;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One list: page after page of the store, sent as its reader takes them. While a page is being sent, the next one is
 * read. Between two pages the stream lets others have their turn. All of it runs on the event loop of the call.
 *
 * <p>A page is handed over as a whole, as a handle at a time would mean a change of threads for each of them.
 */
final class HandleStream {
    /** Large enough to make little of a round trip. */
    private static final int LARGEST_PAGE = 500;

    /** Metadata may be as large as 64 KB. */
    private static final int FIRST_PAGE = 100;

    private static final int SMALLEST_PAGE = 10;

    /** The next page after one that is larger than this has half as many handles, and after others twice as many. */
    private static final long LARGE_PAGE_BYTES = 256 << 10;

    /** A reader that takes longer for one page than this may be slow: the stream gives up its turn. */
    private static final Duration PARKED_AFTER = Duration.ofMillis(100);

    private final ServiceRequestContext ctx;
    private final RelayingLeases leases;
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

    /** What the stream waits for. */
    private enum State {
        /** Its turn. */
        QUEUED,
        /** The store. */
        READING,
        /** Its own loop, which hands a page over. */
        SENDING,
        /** Its reader, with its turn. */
        DRAINING,
        /** Its reader, without its turn. */
        PARKED,
        OVER
    }

    HandleStream(
            ServiceRequestContext ctx,
            RelayingLeases leases,
            HandleFilter filter,
            boolean withIds,
            ListAdmission turns,
            ServerCallStreamObserver<Handle> observer) {
        this.ctx = ctx;
        this.leases = leases;
        this.filter = filter;
        this.withIds = withIds;
        this.turns = turns;
        this.observer = observer;
    }

    /**
     * Called on the thread of the call, before it returns.
     *
     * @param offset how many handles to leave out, unsigned
     * @param readerPatience how long the reader may take for one page before it is cut off
     * @return false if too many lists wait already
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
                await(ask());
            }
        });
    }

    private CompletionStage<ListedPage> ask() {
        try {
            return leases.relay().list(filter.stored(), cursor, pageSize);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
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
                            throw WireErrors.of(WireErrors.present(error));
                        }
                        pass(read);
                    } catch (RuntimeException e) {
                        fail(e);
                    }
                }));
    }

    private void pass(ListedPage page) {
        cursor = page.cursor();
        @Nullable CompletionStage<ListedPage> next = cursor == null || turns.isWanted() ? null : ask();
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

    private void send(List<Listed> page) {
        Instant now = leases.runtime().now();
        pageBytes = 0;
        for (Listed listed : page) {
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

    /** Comes now and then, also while a page is being sent. */
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
        ahead = null; // It may be read again: what is kept for a slow reader is what was sent to it.
        if (turns.park(pageBytes)) {
            state = State.PARKED;
        }
        clock(patience, this::cutOff);
    }

    private void cutOff() {
        fail(Status.ABORTED
                .withDescription("the reader took more than " + patience.toMillis() + " ms for one page")
                .asRuntimeException());
    }

    private void clock(Duration time, Runnable then) {
        clock = ctx.eventLoop().schedule(then, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void fail(RuntimeException error) {
        end();
        observer.onError(WireErrors.of(error));
    }

    /** Gives back what the stream has, once. */
    private void end() {
        State before = state;
        state = State.OVER;
        ahead = null;
        stopClock();
        switch (before) {
            case QUEUED -> turns.stopWaiting(onTurn); // If its turn is on its way, it is given back when it has come.
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
