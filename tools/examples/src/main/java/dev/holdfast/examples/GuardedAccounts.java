package dev.holdfast.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.http.FenceGate;
import dev.holdfast.guard.http.FenceGateService;
import dev.holdfast.guard.http.FencedHttpClient;
import dev.holdfast.guard.http.GateDecision;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Accounts behind HTTP. The server refuses a request without a fence, or with an old one. It checks the fence twice: at its gate, which
 * stops most late requests before they cost anything, and in the transaction that writes, which stops the rest.
 */
public final class GuardedAccounts implements AutoCloseable {
    private final DataSource dataSource;
    private final Server server;

    /** Starts a server on a free port. The tables {@code account} and {@code holdfast_fence} must exist. */
    public GuardedAccounts(DataSource dataSource) {
        this.dataSource = dataSource;
        HttpService accounts = (ctx, request) -> HttpResponse.of(
                request.aggregate().thenApplyAsync(body -> put(ctx, body.contentUtf8()), ctx.blockingTaskExecutor()));
        server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service(
                        "/accounts/{id}",
                        accounts.decorate(FenceGateService.newDecorator(
                                FenceGate.of(dataSource), ctx -> keyOf(String.valueOf(ctx.pathParam("id"))))))
                .build();
        server.start().join();
    }

    /** The key that a client must hold to change an account. The server derives it from the path, never from a header. */
    public static Key keyOf(String account) {
        return Key.of("accounts", account);
    }

    private HttpResponse put(ServiceRequestContext ctx, String balance) {
        if (ctx.method() != HttpMethod.PUT) {
            return HttpResponse.of(405);
        }
        GateDecision.Passed passed = FenceGateService.passed(ctx);
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            FenceGuard.jdbc().check(connection, passed.key(), passed.fence());
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE account SET balance = ? WHERE id = ?")) {
                update.setLong(1, Long.parseLong(balance));
                update.setString(2, ctx.pathParam("id"));
                int updated = update.executeUpdate();
                connection.commit();
                return HttpResponse.of(updated == 1 ? 200 : 404);
            }
        } catch (SQLException e) {
            return HttpResponse.ofFailure(e);
        }
    }

    public URI account(String id) {
        return URI.create("http://127.0.0.1:" + server.activeLocalPort() + "/accounts/" + id);
    }

    /** The client: writes a balance under a lease of the account, and returns the status. */
    public static int write(URI account, Lease lease, long balance) throws IOException, InterruptedException {
        HttpClient client = FencedHttpClient.of(HttpClient.newHttpClient(), lease);
        HttpRequest request = HttpRequest.newBuilder(account)
                .PUT(HttpRequest.BodyPublishers.ofString(String.valueOf(balance), UTF_8))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
