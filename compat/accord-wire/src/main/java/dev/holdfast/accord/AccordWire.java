package dev.holdfast.accord;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerProtocol;
import io.grpc.BindableService;
import java.time.Duration;

/** accord's protocol on the port of a server. */
public final class AccordWire implements ServerProtocol {
    /** How long a client may take to read one page of a list. */
    private static final Duration LIST_PATIENCE = Duration.ofSeconds(10);

    private static final String LIST = "/" + V1Grpc.getListMethod().getFullMethodName();

    private final Duration listPatience;

    public AccordWire() {
        this(LIST_PATIENCE);
    }

    AccordWire(Duration listPatience) {
        this.listPatience = listPatience;
    }

    @Override
    public BindableService service(ServedLeases leases) {
        return new AccordService(leases, listPatience);
    }

    /** accord's server uses this name for its health, not the name of its service. */
    @Override
    public String healthName() {
        return "accord";
    }

    @Override
    public boolean isStream(String path) {
        return path.equals(LIST);
    }

    @Override
    public HttpResponse stream(ServiceRequestContext ctx, HttpResponse response) {
        return MergedResponse.of(ctx, response);
    }
}
