package dev.holdfast.server.grpc;

import static io.grpc.stub.ServerCalls.asyncBidiStreamingCall;
import static io.grpc.stub.ServerCalls.asyncServerStreamingCall;
import static io.grpc.stub.ServerCalls.asyncUnaryCall;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.calls.CallerAnchors;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.calls.ServerComponents;
import dev.holdfast.server.wire.RequestContinuation;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The gRPC service {@code holdfast.v1.Leases}: which class answers which call. */
public final class GrpcLeasesService {
    private GrpcLeasesService() {}

    public static ServerServiceDefinition define(
            ServerComponents parts, CallerAnchors anchors, LeaseOperations leases, KeyOperations keys) {
        return ServerServiceDefinition.builder(LeasesGrpc.getServiceDescriptor())
                .addMethod(LeasesGrpc.getAcquireMethod(), asyncUnaryCall((ask, to) -> {
                    ServiceRequestContext ctx = context();
                    RequestContinuation.respond(
                            () -> {
                                var pending = leases.acquire(ctx, ask);
                                // A client that disconnects leaves the wait queue before anything is granted to it.
                                ((ServerCallStreamObserver<?>) to).setOnCancelHandler(() -> pending.cancel(false));
                                return pending;
                            },
                            outcome -> {
                                parts.releaseIfUndelivered(ctx, outcome);
                                return LeaseOperations.response(outcome);
                            },
                            to);
                }))
                .addMethod(LeasesGrpc.getRenewMethod(), unary(leases::renew))
                .addMethod(LeasesGrpc.getReleaseMethod(), unary(leases::release))
                .addMethod(LeasesGrpc.getDoneMethod(), unary(leases::done))
                .addMethod(LeasesGrpc.getUpdateMethod(), unary(leases::update))
                .addMethod(LeasesGrpc.getReopenMethod(), unary(keys::reopen))
                .addMethod(LeasesGrpc.getDeleteMethod(), unary(keys::delete))
                .addMethod(LeasesGrpc.getEvictMethod(), unary(keys::evict))
                .addMethod(LeasesGrpc.getGetMethod(), unary(keys::get))
                .addMethod(LeasesGrpc.getExplainMethod(), unary(keys::explain))
                .addMethod(LeasesGrpc.getCleanUpMethod(), unary(keys::cleanUp))
                .addMethod(
                        LeasesGrpc.getListMethod(),
                        asyncServerStreamingCall((ask, to) -> new GrpcListStream(context(), keys, ask, to).begin()))
                .addMethod(
                        LeasesGrpc.getWatchMethod(),
                        asyncServerStreamingCall((ask, to) -> GrpcWatchStream.begin(context(), keys, ask, to)))
                .addMethod(
                        LeasesGrpc.getCallsMethod(),
                        asyncBidiStreamingCall(to -> new ServerCallStream(context(), parts, leases, to)))
                .addMethod(
                        LeasesGrpc.getSessionMethod(),
                        asyncBidiStreamingCall(to -> new GrpcSessionStream(context(), parts, anchors, leases, to)))
                .build();
    }

    private static ServiceRequestContext context() {
        return ServiceRequestContext.current();
    }

    private static <Q, R> ServerCallHandler<Q, R> unary(BiFunction<ServiceRequestContext, Q, CompletionStage<R>> call) {
        return asyncUnaryCall((request, observer) ->
                RequestContinuation.respond(() -> call.apply(context(), request), Function.identity(), observer));
    }
}
