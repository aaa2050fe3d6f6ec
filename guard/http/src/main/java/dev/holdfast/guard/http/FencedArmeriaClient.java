package dev.holdfast.guard.http;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.HttpClient;
import com.linecorp.armeria.client.SimpleDecoratingHttpClient;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import dev.holdfast.Lease;
import dev.holdfast.guard.FenceGuard;
import java.util.function.Function;

/**
 * A decorator of Armeria clients that sends the fence of a lease with every request, in the header {@link FenceHeader#NAME}. It
 * sends nothing once the lease is not held: the response then fails with {@link dev.holdfast.LeaseLostException}, or with
 * {@link IllegalStateException} if this process ended the lease.
 *
 * <pre>{@code
 * WebClient client = WebClient.builder(uri)
 *         .decorator(FencedArmeriaClient.newDecorator(lease))
 *         .decorator(RetryingClient.newDecorator(rule)) // After it: then every attempt checks the lease.
 *         .build();
 * }</pre>
 *
 * <p>The check before sending only saves a request. The process may be paused right after it, so the server must check the fence
 * too: see {@link FenceGate}.
 */
public final class FencedArmeriaClient extends SimpleDecoratingHttpClient {
    private final Lease lease;

    private FencedArmeriaClient(HttpClient delegate, Lease lease) {
        super(delegate);
        this.lease = lease;
    }

    /** @throws IllegalArgumentException if the fence can fall: in the tables of other tools */
    public static Function<? super HttpClient, FencedArmeriaClient> newDecorator(Lease lease) {
        FenceGuard.fenceOf(lease);
        return delegate -> new FencedArmeriaClient(delegate, lease);
    }

    @Override
    public HttpResponse execute(ClientRequestContext ctx, HttpRequest request) throws Exception {
        String value = FenceHeader.valueOf(lease);
        HttpRequest fenced = request.mapHeaders(
                headers -> headers.toBuilder().set(FenceHeader.NAME, value).build());
        ctx.updateRequest(fenced);
        return unwrap().execute(ctx, fenced);
    }
}
