package dev.holdfast.server.wire;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import java.time.Duration;

/**
 * A gRPC service whose streams are not reset as soon as they are answered.
 *
 * <p>A refusal ends the response while the client still sends, or could send. By default Armeria then resets the stream at
 * once, with the error CANCEL. Clients on gRPC's C core report that error instead of the status that came before it, and
 * must assume that their request was applied. So the client gets time to read the status and to close the stream itself;
 * only a stream that is still open after that is reset.
 */
public final class LateReset extends SimpleDecoratingHttpService {
    /** More than a round trip to any client; streams that stay open so long cost a few hundred bytes each. */
    private static final Duration DELAY = Duration.ofSeconds(5);

    private static final ServiceOptions OPTIONS = ServiceOptions.builder()
            .closeHttp2StreamDelayMillis(DELAY.toMillis())
            .build();

    public LateReset(HttpService delegate) {
        super(delegate);
    }

    @Override
    public ServiceOptions options() {
        return OPTIONS;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
        return unwrap().serve(ctx, request);
    }
}
