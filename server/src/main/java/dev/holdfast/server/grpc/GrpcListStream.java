package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ListResponse;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * The pages of a listing, sent one after the other. The next page is requested when the client has read the previous
 * one, so a slow reader costs one page of memory. Confined to the event loop of the call.
 */
final class GrpcListStream {
    private final ServiceRequestContext ctx;
    private final KeyOperations keys;
    private final ListRequest request;
    private final ServerCallStreamObserver<ListResponse> observer;
    private String cursor;
    private int pages;
    private boolean reading;
    private boolean over;

    GrpcListStream(
            ServiceRequestContext ctx, KeyOperations keys, ListRequest request, StreamObserver<ListResponse> observer) {
        this.ctx = ctx;
        this.keys = keys;
        this.request = request;
        this.observer = (ServerCallStreamObserver<ListResponse>) observer;
        this.cursor = request.getCursor();
    }

    void begin() {
        if (request.getMaxPages() < 0) {
            observer.onError(WireErrors.of(ArgumentCheck.bad("maxPages", request.getMaxPages(), ">= 0")));
            return;
        }
        observer.setOnReadyHandler(this::next);
        observer.setOnCancelHandler(() -> over = true);
        ctx.eventLoop().execute(this::next);
    }

    private void next() {
        if (reading || over || !observer.isReady()) {
            return;
        }
        reading = true;
        Futures.whenDone(
                Futures.contain(() -> keys.list(ctx, request, cursor)),
                (page, error) -> ctx.eventLoop().execute(() -> {
                    if (page == null) {
                        fail(WireErrors.cause(error));
                    } else {
                        send(page);
                    }
                }));
    }

    private void send(ListResponse page) {
        reading = false;
        if (over) {
            return;
        }
        cursor = page.getCursor();
        pages++;
        observer.onNext(page);
        if (cursor.isEmpty() || pages == request.getMaxPages()) {
            over = true;
            observer.onCompleted();
        } else {
            next();
        }
    }

    private void fail(Throwable error) {
        if (!over) {
            over = true;
            observer.onError(WireErrors.of(error));
        }
    }
}
