package dev.holdfast.server.grpc;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;

/**
 * A decorator that dispatches requests as soon as their headers have arrived. Otherwise the HTTP server buffers the
 * body of a unary gRPC call until it is complete, before it calls any decorator. Unauthenticated clients could thus
 * occupy memory for as long as they like.
 */
public final class EarlyDispatch extends SimpleDecoratingHttpService {
    /**
     * How long a stream stays open after a response that was sent before the request had ended, such as a rejection.
     * Armeria would reset the stream at once, with the error CANCEL. Clients on gRPC's C core report that error instead
     * of the status sent before it, and must assume that their request was applied. The delay is longer than a round
     * trip to any client.
     */
    private static final long CLOSE_DELAY_MILLIS = 1_000;

    public EarlyDispatch(HttpService delegate) {
        super(delegate);
    }

    @Override
    public ExchangeType exchangeType(RoutingContext routing) {
        return unwrapped().exchangeType(routing).isResponseStreaming()
                ? ExchangeType.BIDI_STREAMING
                : ExchangeType.REQUEST_STREAMING;
    }

    @Override
    public ServiceOptions options() {
        return ServiceOptions.builder()
                .closeHttp2StreamDelayMillis(CLOSE_DELAY_MILLIS)
                .build();
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
        return unwrapped().serve(ctx, request);
    }

    private HttpService unwrapped() {
        return (HttpService) unwrap();
    }
}
