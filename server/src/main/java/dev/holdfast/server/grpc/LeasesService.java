package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.ReleaseResponse;
import dev.holdfast.server.LeaseCalls;
import dev.holdfast.server.ServerParts;
import io.grpc.stub.StreamObserver;

/** {@code holdfast.v1.Leases}. */
public final class LeasesService extends LeasesGrpc.LeasesImplBase {
    private final LeaseCalls calls;

    public LeasesService(ServerParts parts) {
        this.calls = new LeaseCalls(parts);
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        AcquireCall.answer(ctx, calls, () -> calls.acquire(ctx, request), observer);
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> observer) {
        Unary.answer(() -> calls.release(ServiceRequestContext.current(), request), observer);
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> observer) {
        Unary.answer(() -> calls.get(ServiceRequestContext.current(), request), observer);
    }
}
