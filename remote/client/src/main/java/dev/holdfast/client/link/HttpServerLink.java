package dev.holdfast.client.link;

import dev.holdfast.client.credentials.BearerTokenFile;
import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.client.credentials.ReloadedTls;
import dev.holdfast.support.StoreUrl.UrlHost;
import dev.holdfast.wire.ProtocolVersion;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A link over plain HTTP/1.1, with one call at a time on the calling thread. It uses gRPC-Web, which has the same
 * messages. It is for a process that makes one request and exits: it starts no thread and loads no network library.
 */
public final class HttpServerLink implements ServerLink {
    private static final String CONTENT_TYPE = "application/grpc-web+proto";
    private static final int OK = 200;

    private final String base;
    private final @Nullable ReloadedTls<SSLSocketFactory> tls;
    private final @Nullable BearerTokenFile token;
    private final ProtocolVersion own;

    private HttpServerLink(
            UrlHost server,
            @Nullable ReloadedTls<SSLSocketFactory> tls,
            @Nullable BearerTokenFile token,
            ProtocolVersion own) {
        this.base = (tls == null ? "http://" : "https://") + server + "/";
        this.tls = tls;
        this.token = token;
        this.own = own;
    }

    /**
     * Creates the links to servers, for a process without background threads. They connect on the first call.
     *
     * @param first the index of the server to start with
     * @throws IllegalArgumentException if a certificate or key cannot be read
     */
    public static ServerLinks open(List<UrlHost> servers, LinkSecurity security, int first) {
        return open(servers, security, first, ProtocolVersion.CURRENT);
    }

    /** @param own the protocol version that this client sends */
    static ServerLinks open(List<UrlHost> servers, LinkSecurity security, int first, ProtocolVersion own) {
        ReloadedTls<SSLSocketFactory> tls =
                security.tls() ? ReloadedTls.open(security, ReloadedTls::socketFactory) : null;
        return new ServerLinks(
                servers.stream()
                        .map(server -> new HttpServerLink(server, tls, security.token(), own))
                        .toList(),
                first,
                () -> {});
    }

    @Override
    public <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        boolean sent = false;
        try {
            HttpURLConnection connection = connect(method, timeout);
            sent = true;
            try (OutputStream out = connection.getOutputStream()) {
                out.write(GrpcWebFrames.frame(bytes(method, request)));
            }
            return CompletableFuture.completedFuture(answer(method, connection));
        } catch (StatusRuntimeException e) {
            return CompletableFuture.failedFuture(new LinkException(e, true));
        } catch (IOException e) {
            Status status = Status.UNAVAILABLE
                    .withDescription(base + ": " + e.getMessage())
                    .withCause(e);
            return CompletableFuture.failedFuture(new LinkException(status.asRuntimeException(), sent));
        }
    }

    private HttpURLConnection connect(MethodDescriptor<?, ?> method, Duration timeout) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(base + method.getFullMethodName()).toURL().openConnection();
        if (tls != null) {
            ((HttpsURLConnection) connection).setSSLSocketFactory(tls.current());
        }
        int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", CONTENT_TYPE);
        connection.setRequestProperty("Accept", CONTENT_TYPE);
        connection.setRequestProperty("X-Grpc-Web", "1");
        connection.setRequestProperty("User-Agent", ClientProgram.USER_AGENT);
        connection.setRequestProperty(ProtocolVersion.VERSION_HEADER, String.valueOf(own.version()));
        connection.setRequestProperty(ProtocolVersion.OLDEST_PEER_HEADER, String.valueOf(own.oldestPeer()));
        if (token != null) {
            connection.setRequestProperty("Authorization", "Bearer " + token.get());
        }
        connection.connect();
        return connection;
    }

    private static <Q> byte[] bytes(MethodDescriptor<Q, ?> method, Q request) throws IOException {
        try (InputStream message = method.streamRequest(request)) {
            return message.readAllBytes();
        }
    }

    private <R> R answer(MethodDescriptor<?, R> method, HttpURLConnection connection) throws IOException {
        if (connection.getResponseCode() != OK) {
            throw status(connection.getResponseCode())
                    .withDescription("HTTP " + connection.getResponseCode())
                    .asRuntimeException();
        }
        try (InputStream in = connection.getInputStream()) {
            GrpcWebFrames.Answer answer = GrpcWebFrames.read(in, connection::getHeaderField);
            CallHeaderInterceptor.requireCompatible(own, connection::getHeaderField);
            ByteBuffer message = answer.messageOrThrow();
            return method.parseResponse(
                    new ByteArrayInputStream(message.array(), message.arrayOffset(), message.remaining()));
        }
    }

    /** Returns the meaning of an HTTP status that a proxy in front of the server sent. */
    private static Status status(int code) {
        return switch (code) {
            case 401 -> Status.UNAUTHENTICATED;
            case 403 -> Status.PERMISSION_DENIED;
            case 404 -> Status.UNIMPLEMENTED;
            case 429 -> Status.RESOURCE_EXHAUSTED;
            case 502, 503, 504 -> Status.UNAVAILABLE;
            default -> Status.UNKNOWN;
        };
    }

    @Override
    public @Nullable BearerTokenFile token() {
        return token;
    }
}
