package dev.holdfast.server.accord;

import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.ServerParts;
import dev.holdfast.server.wire.LateReset;

/** Adds accord's wire to a server. */
public final class AccordWire implements ServerExtension {
    @Override
    public void extend(ServerBuilder server, ServerParts parts) {
        server.service(
                GrpcService.builder().addService(new AccordService(parts)).build(), LateReset::new);
    }
}
