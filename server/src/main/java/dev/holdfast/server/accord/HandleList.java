package dev.holdfast.server.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.model.State;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.server.Guard.Access;
import dev.holdfast.server.ServerParts;
import dev.holdfast.server.wire.Errors;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists handles as accord does: all of them, from an offset on, the newest created first. A few lists are made at a time,
 * each on a thread of its own, as they wait for the store, for a file, and for whoever reads them.
 */
final class HandleList {
    /** The most that one list goes through: 16 MB of memory and, with handles of 200 bytes, 200 MB of a file. */
    static final int MOST = 1_000_000;

    /** Handles may be large. */
    private static final long MOST_BYTES = 1L << 30;

    private static final int AT_A_TIME = 4;

    /** Every client of accord lists once, when it starts; all of a large fleet may do so at once. */
    private static final int QUEUED = 1_000;

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(HandleList.class);

    private final ServerParts parts;
    private final int most;
    private final ThreadPoolExecutor threads;

    HandleList(ServerParts parts) {
        this(parts, MOST);
    }

    HandleList(ServerParts parts, int most) {
        this.parts = parts;
        this.most = most;
        this.threads = new ThreadPoolExecutor(
                AT_A_TIME, AT_A_TIME, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUED), HandleList::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "holdfast-accord-list");
        thread.setDaemon(true);
        return thread;
    }

    void stream(ServiceRequestContext ctx, ListRequest request, ServerCallStreamObserver<Handle> observer) {
        String prefix = request.getFilter().getPrefix();
        Predicate<String> readable = parts.guard().allowed(ctx, Access.READ, prefix);
        boolean withIds = mayAdminister(ctx, prefix);
        Outflow<Handle> outflow = new Outflow<>(observer);
        try {
            threads.execute(() -> run(request, readable, withIds, outflow));
        } catch (RejectedExecutionException e) {
            throw StatusProto.toStatusRuntimeException(
                    Errors.exhausted("LISTS", QUEUED + " lists wait to be made already", PAUSE));
        }
    }

    /** An id is a token: only those who may see tokens see it. accord's clients do not look at it in a list. */
    private boolean mayAdminister(ServiceRequestContext ctx, String prefix) {
        try {
            parts.guard().requireAll(ctx, Access.ADMINISTER, prefix);
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    private void run(ListRequest request, Predicate<String> readable, boolean withIds, Outflow<Handle> outflow) {
        try (HandleSpool spool = new HandleSpool()) {
            collect(request, readable, withIds, spool, outflow);
            // An offset beyond all that a signed number holds is beyond the end, too.
            long offset = request.getOffset() < 0 ? Long.MAX_VALUE : request.getOffset();
            spool.read(offset, outflow::send);
            outflow.complete();
        } catch (IOException e) {
            log.warn("a list of handles failed", e);
            outflow.fail(StatusProto.toStatusRuntimeException(
                    Errors.unavailable("SPOOL", "the list cannot be put in order: " + e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outflow.fail(Errors.of(new IllegalStateException("the server ends")));
        } catch (RuntimeException e) {
            outflow.fail(Errors.of(e));
        }
    }

    private void collect(
            ListRequest request,
            Predicate<String> readable,
            boolean withIds,
            HandleSpool spool,
            Outflow<Handle> outflow)
            throws IOException {
        ListRequest.Filter filter = request.getFilter();
        LeaseFilter keys = LeaseFilter.namespacePrefix(filter.getPrefix());
        boolean onlyDone = filter.getStatus() == ListRequest.Filter.Status.DONE;
        boolean onlyPending = filter.getStatus() == ListRequest.Filter.Status.PENDING;
        Instant now = parts.leases().runtime().now();
        try (Stream<LeaseStatus> all = parts.leases().list(onlyDone ? keys.state(State.DONE) : keys)) {
            for (Iterator<LeaseStatus> each = all.iterator(); each.hasNext() && !outflow.isCancelled(); ) {
                LeaseStatus status = each.next();
                // What is Holdfast's own, and what was deleted, accord knows nothing of.
                boolean shown = !status.key().isReserved()
                        && status.entry().grant() != null
                        && readable.test(status.key().namespace());
                if (!shown || (onlyPending && status.state() == State.DONE)) {
                    continue;
                }
                Handle handle = HandleView.listed(status, now, withIds);
                if (handle.getMetadataMap()
                        .entrySet()
                        .containsAll(filter.getMetadataMap().entrySet())) {
                    requireRoom(spool);
                    spool.add(
                            ChronoUnit.MICROS.between(
                                    Instant.EPOCH, status.entry().createdAt()),
                            handle);
                }
            }
        }
    }

    private void requireRoom(HandleSpool spool) {
        if (spool.count() == most || spool.bytes() >= MOST_BYTES) {
            throw io.grpc.Status.RESOURCE_EXHAUSTED
                    .withDescription("more than " + Math.min(most, spool.count())
                            + " handles match, more than can be put in order; narrow the filter, or page through"
                            + " holdfast.v1.Leases/List, which has no such bound")
                    .asRuntimeException();
        }
    }
}
