package dev.holdfast.server;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerExtension;
import dev.holdfast.server.wire.RefusedResponses;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.wire.ProtocolVersion;
import io.grpc.Status;
import java.util.Optional;

/**
 * The check of protocol versions. It adds the server's version to the headers of every response, and rejects
 * incompatible gRPC clients before anything is done for them. Requests over HTTP/JSON have their version in the path.
 */
public final class ProtocolVersionGate implements ServerExtension {
    private final ProtocolVersion own;

    public ProtocolVersionGate(ProtocolVersion own) {
        this.own = own;
    }

    @Override
    public void extend(ServerBuilder server, ServedLeases leases) {
        server.decorator(this::serve);
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        ctx.mutateAdditionalResponseHeaders(
                headers -> headers.set(ProtocolVersion.VERSION_HEADER, String.valueOf(own.version()))
                        .set(ProtocolVersion.OLDEST_PEER_HEADER, String.valueOf(own.oldestPeer())));
        Optional<String> conflict = ctx.path().startsWith(RequestPaths.GRPC)
                ? own.conflictWith(ProtocolVersion.of(request.headers()::get), "server", "client")
                : Optional.empty();
        // This status is final for every client, old clients included: none of them retries such a request.
        return conflict.isPresent()
                ? RefusedResponses.of(
                        request, Status.Code.FAILED_PRECONDITION, "PROTOCOL_VERSION", conflict.get(), null)
                : service.serve(ctx, request);
    }
}
