package dev.holdfast.guard.http;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.guard.FenceGuard;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A client of the JDK that sends the fence of a lease with every request, in the header {@link FenceHeader#NAME}. It sends nothing
 * once the lease is not held.
 *
 * <pre>{@code
 * HttpClient client = FencedHttpClient.of(HttpClient.newHttpClient(), lease);
 * client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>The check before sending only saves a request. The process may be paused right after it, so the server must check the fence
 * too: see {@link FenceGate}.
 *
 * <p>It uses the connections of the client that it wraps, so one such client can serve many leases. It never closes that client.
 * A redirect that the client follows carries the same header. WebSockets are not supported.
 *
 * <p>Thread-safe.
 */
public final class FencedHttpClient extends HttpClient {
    private final HttpClient client;
    private final Lease lease;

    private FencedHttpClient(HttpClient client, Lease lease) {
        this.client = client;
        this.lease = lease;
    }

    /** @throws IllegalArgumentException if the fence can fall: in the tables of other tools */
    public static FencedHttpClient of(HttpClient client, Lease lease) {
        FenceGuard.fenceOf(lease);
        return new FencedHttpClient(client, lease);
    }

    /**
     * Sends a request with the fence.
     *
     * @throws LeaseLostException if the lease was lost; nothing was sent
     * @throws IllegalStateException if this process ended the lease; nothing was sent
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> bodyHandler)
            throws IOException, InterruptedException {
        return client.send(fenced(request), bodyHandler);
    }

    /** Sends a request with the fence. If the lease is not held, the future fails as {@link #send} does. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> bodyHandler) {
        return sendFenced(request, fenced -> client.sendAsync(fenced, bodyHandler));
    }

    /** The same, with a handler of pushed responses. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            HttpResponse.BodyHandler<T> bodyHandler,
            HttpResponse.PushPromiseHandler<T> pushPromiseHandler) {
        return sendFenced(request, fenced -> client.sendAsync(fenced, bodyHandler, pushPromiseHandler));
    }

    private <T> CompletableFuture<HttpResponse<T>> sendFenced(
            HttpRequest request, Function<HttpRequest, CompletableFuture<HttpResponse<T>>> sending) {
        HttpRequest fenced;
        try {
            fenced = fenced(request);
        } catch (LeaseLostException | IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
        return sending.apply(fenced);
    }

    private HttpRequest fenced(HttpRequest request) {
        String value = FenceHeader.valueOf(lease);
        return HttpRequest.newBuilder(request, (name, old) -> !name.equalsIgnoreCase(FenceHeader.NAME))
                .header(FenceHeader.NAME, value)
                .build();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
