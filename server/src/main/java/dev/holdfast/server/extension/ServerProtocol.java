package dev.holdfast.server.extension;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.BindableService;

/**
 * Another gRPC protocol on the port of a server. A server with a perimeter adds all protocols that are on its class
 * path ({@link java.util.ServiceLoader}). Authentication, limits, shutdown and metrics apply to their requests like to
 * all others.
 */
public interface ServerProtocol {
    BindableService service(ServedLeases leases);

    /** The name under which gRPC's health service answers clients of this protocol. */
    String healthName();

    /** Whether requests with this path last: they are cancelled when the token of their caller is removed. */
    boolean isStream(String path);

    /** A decorator of the responses to requests for which {@link #isStream} is true. */
    default HttpResponse stream(ServiceRequestContext ctx, HttpResponse response) {
        return response;
    }
}
