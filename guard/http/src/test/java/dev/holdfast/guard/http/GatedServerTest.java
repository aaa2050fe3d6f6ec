package dev.holdfast.guard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real servers and clients, and the gate between them. */
class GatedServerTest {
    private static final HttpClient PLAIN = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    static Stream<Arguments> serversAndClients() {
        return Stream.of(AccountServer.Kind.values())
                .flatMap(server -> Stream.of(FencedClient.values()).map(client -> Arguments.of(server, client)));
    }

    private static HttpResponse<String> send(URI uri, @Nullable String fence, int balance) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.ofString(String.valueOf(balance)));
        if (fence != null) {
            request.header(FenceHeader.NAME, fence);
        }
        return PLAIN.send(request.build(), BodyHandlers.ofString());
    }

    private static int put(URI uri, @Nullable String fence, int balance) throws Exception {
        return send(uri, fence, balance).statusCode();
    }

    private static Lease acquire(Leases leases, int account) {
        return leases.tryAcquire(AccountServer.keyOf(account), AcquireOptions.defaults())
                .orThrow();
    }

    /** The fence of a lease that was released since: the header of a holder that was paused before it was sent. */
    private static String fenceOf(Leases leases, int account) {
        try (Lease lease = acquire(leases, account)) {
            return FenceHeader.valueOf(lease);
        }
    }

    @ParameterizedTest
    @MethodSource("serversAndClients")
    void theNewestHolderWritesAndAnOlderOneIsRefused(AccountServer.Kind kind, FencedClient client) throws Exception {
        AccountTable table = AccountTable.create(folder, true);
        try (AccountServer server = kind.start(table, folder, true);
                Leases leases = Holdfast.open("memory:")) {
            String old = fenceOf(leases, 1);
            assertThat(put(server.account(1), old, 1)).isEqualTo(200);
            try (Lease lease = acquire(leases, 1)) {
                assertThat(client.put(lease, server.account(1), "2")).isEqualTo(200);
                assertThat(client.put(lease, server.account(1), "3")).isEqualTo(200);
            }

            HttpResponse<String> refused = send(server.account(1), old, 4);
            assertThat(refused.statusCode()).isEqualTo(412);
            assertThat(refused.body()).contains(old + " is too old");
            assertThat(table.balance(1)).isEqualTo(3);
            assertThat(put(server.account(2), old, 5)).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("serversAndClients")
    void aClientSendsNothingWithoutItsLease(AccountServer.Kind kind, FencedClient client) throws Exception {
        AccountTable table = AccountTable.create(folder, false);
        try (AccountServer server = kind.start(table, folder, true);
                Leases leases = Holdfast.open("memory:")) {
            Lease lease = acquire(leases, 1);
            lease.release();

            assertThatThrownBy(() -> client.put(lease, server.account(1), "1"))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(table.entered.getCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithoutAFenceIsRefusedAndAReadNeedsNone(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);
        try (AccountServer server = kind.start(table, folder, true)) {
            assertThat(put(server.account(1), null, 1)).isEqualTo(428);
            assertThat(put(server.account(1), "x", 1)).isEqualTo(400);
            HttpRequest read = HttpRequest.newBuilder(server.account(1)).build();
            assertThat(PLAIN.send(read, BodyHandlers.ofString()).body()).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aForgedNumberDoesNotLockOutOthers(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);
        try (AccountServer server = kind.start(table, folder, true);
                Leases leases = Holdfast.open("memory:");
                Lease lease = acquire(leases, 1)) {
            assertThat(put(server.account(1), String.valueOf(Long.MAX_VALUE), 666))
                    .isEqualTo(400);
            long nextDay = lease.fence().value() + TimeUnit.DAYS.toMicros(1);
            assertThat(put(server.account(1), String.valueOf(nextDay), 666)).isEqualTo(400);

            assertThat(FencedClient.JDK.put(lease, server.account(1), "1")).isEqualTo(200);
            assertThat(table.balance(1)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRestartKeepsTheMemory(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);
        try (Leases leases = Holdfast.open("memory:")) {
            String old = fenceOf(leases, 1);
            try (AccountServer server = kind.start(table, folder, true);
                    Lease lease = acquire(leases, 1)) {
                assertThat(FencedClient.JDK.put(lease, server.account(1), "1")).isEqualTo(200);
            }
            try (AccountServer server = kind.start(table, folder, true)) {
                assertThat(put(server.account(1), old, 2)).isEqualTo(412);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutItsMemoryTheGateLetsNothingPass(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);
        table.execute("DROP TABLE holdfast_fence");
        try (AccountServer server = kind.start(table, folder, true);
                Leases leases = Holdfast.open("memory:")) {
            assertThat(put(server.account(1), fenceOf(leases, 1), 1)).isEqualTo(500);
            assertThat(table.entered.getCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theGateAloneDoesNotStopARequestThatPassedEarlier(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);

        assertThat(passBeforeANewerFence(kind, table, "/accounts/1")).isEqualTo(200);

        assertThat(table.balance(1)).isEqualTo(100); // The gap: 7 is lost.
    }

    @ParameterizedTest
    @EnumSource
    void aCheckInTheTransactionStopsARequestThatPassedEarlier(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, true);

        assertThat(passBeforeANewerFence(kind, table, "/accounts/1")).isEqualTo(412);

        assertThat(table.balance(1)).isEqualTo(7);
    }

    @Test
    void aRefusalThatAFrameworkWrapsIsAnsweredToo() throws Exception {
        AccountTable table = AccountTable.create(folder, true);

        assertThat(passBeforeANewerFence(AccountServer.Kind.TOMCAT, table, "/accounts/1?wrapped"))
                .isEqualTo(412);
    }

    /** Sends the head of a request, then another request with a newer fence, then the body of the first. Returns its status. */
    private int passBeforeANewerFence(AccountServer.Kind kind, AccountTable table, String path) throws Exception {
        try (AccountServer server = kind.start(table, folder, true);
                Leases leases = Holdfast.open("memory:");
                Socket first = new Socket(
                        InetAddress.getLoopbackAddress(), server.account(1).getPort())) {
            String old = fenceOf(leases, 1);
            String newer = fenceOf(leases, 1);
            write(
                    first,
                    "PUT " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n" + FenceHeader.NAME + ": "
                            + old + "\r\n\r\n");
            assertThat(table.entered.await(120, TimeUnit.SECONDS)).isTrue();

            assertThat(put(server.account(1), newer, 7)).isEqualTo(200);

            write(first, "100");
            String statusLine = new BufferedReader(
                            new InputStreamReader(first.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            assertThat(statusLine).startsWith("HTTP/1.1 ");
            return Integer.parseInt(statusLine.substring(9, 12));
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }
}
