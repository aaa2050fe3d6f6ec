package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.CallsResponse;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.CleanUpResponse;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.DoneResponse;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ListResponse;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.ReleaseResponse;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.RenewResponse;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.SessionResponse;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.proto.v1.UpdateResponse;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.AnchorNames;
import dev.holdfast.server.KeyCalls;
import dev.holdfast.server.LeaseCalls;
import dev.holdfast.server.ServerParts;
import io.grpc.stub.StreamObserver;

/** {@code holdfast.v1.Leases}. */
public final class LeasesService extends LeasesGrpc.LeasesImplBase {
    private final ServerParts parts;
    private final LeaseCalls leases;
    private final KeyCalls keys;
    private final AnchorNames anchors;

    public LeasesService(ServerParts parts) {
        this.parts = parts;
        this.anchors = new AnchorNames(parts);
        this.leases = new LeaseCalls(parts, anchors);
        this.keys = new KeyCalls(parts, anchors);
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> observer) {
        AcquireCall.answer(ServiceRequestContext.current(), leases, request, observer);
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> observer) {
        Unary.answer(() -> leases.renew(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> observer) {
        Unary.answer(() -> leases.release(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void done(DoneRequest request, StreamObserver<DoneResponse> observer) {
        Unary.answer(() -> leases.done(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void update(UpdateRequest request, StreamObserver<UpdateResponse> observer) {
        Unary.answer(() -> leases.update(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void reopen(ReopenRequest request, StreamObserver<EditResponse> observer) {
        Unary.answer(() -> keys.reopen(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void delete(DeleteRequest request, StreamObserver<EditResponse> observer) {
        Unary.answer(() -> keys.delete(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void evict(EvictRequest request, StreamObserver<EditResponse> observer) {
        Unary.answer(() -> keys.evict(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> observer) {
        Unary.answer(() -> keys.get(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void cleanUp(CleanUpRequest request, StreamObserver<CleanUpResponse> observer) {
        Unary.answer(() -> keys.cleanUp(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> observer) {
        new ListStream(ServiceRequestContext.current(), keys, request, observer).begin();
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
        WatchStream.begin(ServiceRequestContext.current(), parts, request, observer);
    }

    @Override
    public StreamObserver<CallsRequest> calls(StreamObserver<CallsResponse> observer) {
        return new CallStream(ServiceRequestContext.current(), parts, leases, observer);
    }

    @Override
    public StreamObserver<SessionRequest> session(StreamObserver<SessionResponse> observer) {
        return new SessionStream(ServiceRequestContext.current(), parts, anchors, observer);
    }
}
