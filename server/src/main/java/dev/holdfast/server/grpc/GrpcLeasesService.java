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
import dev.holdfast.server.AnchorNameOwners;
import dev.holdfast.server.KeyOperations;
import dev.holdfast.server.LeaseOperations;
import dev.holdfast.server.ServerComponents;
import io.grpc.stub.StreamObserver;

/** The gRPC service {@code holdfast.v1.Leases}. */
public final class GrpcLeasesService extends LeasesGrpc.LeasesImplBase {
    private final ServerComponents parts;
    private final LeaseOperations leases;
    private final KeyOperations keys;
    private final AnchorNameOwners anchors;

    public GrpcLeasesService(ServerComponents parts) {
        this.parts = parts;
        this.anchors = new AnchorNameOwners(parts);
        this.leases = new LeaseOperations(parts, anchors);
        this.keys = new KeyOperations(parts, anchors);
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> observer) {
        GrpcAcquireCall.respond(ServiceRequestContext.current(), leases, request, observer);
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> observer) {
        UnaryCalls.respond(() -> leases.renew(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> observer) {
        UnaryCalls.respond(() -> leases.release(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void done(DoneRequest request, StreamObserver<DoneResponse> observer) {
        UnaryCalls.respond(() -> leases.done(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void update(UpdateRequest request, StreamObserver<UpdateResponse> observer) {
        UnaryCalls.respond(() -> leases.update(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void reopen(ReopenRequest request, StreamObserver<EditResponse> observer) {
        UnaryCalls.respond(() -> keys.reopen(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void delete(DeleteRequest request, StreamObserver<EditResponse> observer) {
        UnaryCalls.respond(() -> keys.delete(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void evict(EvictRequest request, StreamObserver<EditResponse> observer) {
        UnaryCalls.respond(() -> keys.evict(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> observer) {
        UnaryCalls.respond(() -> keys.get(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void cleanUp(CleanUpRequest request, StreamObserver<CleanUpResponse> observer) {
        UnaryCalls.respond(() -> keys.cleanUp(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> observer) {
        new GrpcListStream(ServiceRequestContext.current(), keys, request, observer).begin();
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
        GrpcWatchStream.begin(ServiceRequestContext.current(), parts, request, observer);
    }

    @Override
    public StreamObserver<CallsRequest> calls(StreamObserver<CallsResponse> observer) {
        return new ServerCallStream(ServiceRequestContext.current(), parts, leases, observer);
    }

    @Override
    public StreamObserver<SessionRequest> session(StreamObserver<SessionResponse> observer) {
        return new GrpcSessionStream(ServiceRequestContext.current(), parts, anchors, leases, observer);
    }
}
