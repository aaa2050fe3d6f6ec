package dev.holdfast.dashboard;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.ServerVitals;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.security.CallerAuthentication;
import dev.holdfast.server.security.CallerTable;
import dev.holdfast.server.security.SessionTable;
import dev.holdfast.server.security.TokenSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real server with a dashboard, on an SQLite file, with or without authentication. */
final class DashboardScene implements AutoCloseable {
    final SessionTable sessions;
    private final CallerTable callers;
    private final Path tokenFile;
    private final String store;
    private final Leases leases;
    private final HoldfastServer server;

    /** A server that does not authenticate. */
    static DashboardScene open(Path folder) {
        return new DashboardScene(folder, null);
    }

    /** A server that authenticates: each caller is a name and permissions, such as {@code ada admin=*}. */
    static DashboardScene of(Path folder, String... callers) {
        return new DashboardScene(folder, List.of(callers));
    }

    private DashboardScene(Path folder, @Nullable List<String> lines) {
        tokenFile = folder.resolve("tokens");
        store = "sqlite:" + folder.resolve("leases.db");
        if (lines != null) {
            write(lines);
        }
        callers = lines == null ? CallerTable.ofSessions() : CallerTable.ofFile(tokenFile, false);
        sessions = new SessionTable(callers);
        Dashboard dashboard = new Dashboard(new DashboardOptions(
                lines == null ? null : sessions, ServerVitals.UNKNOWN, "1.2.3-test", "sqlite", "test server"));
        leases = Holdfast.open(
                store,
                LeasesOptions.builder()
                        .listener(dashboard.listener())
                        .withoutCleanUp()
                        .build());
        HoldfastServer.Builder builder = HoldfastServer.builder()
                .leases(leases)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (lines != null) {
            builder.guard(AccessGuard.BY_CALLER)
                    .with((to, served) -> new CallerAuthentication(callers, sessions).extend(to));
        }
        server = builder.with(dashboard).build();
        server.start();
    }

    /** The token of a caller. */
    static String secret(String caller) {
        return "hf_secret-of-" + caller;
    }

    private void write(List<String> lines) {
        List<String> written = new ArrayList<>();
        for (String line : lines) {
            String name = line.substring(0, line.indexOf(' '));
            written.add(name + " " + TokenSecret.hashText(secret(name)) + line.substring(name.length()));
        }
        try {
            Files.write(tokenFile, written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the token file. A removal takes effect at the second check. */
    void replaceTokens(String... lines) {
        write(List.of(lines));
        callers.look();
        callers.look();
    }

    int port() {
        return server.address().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** A dashboard without a log-in. */
    DashboardClient visitor() {
        return new DashboardClient(port(), "");
    }

    /** A dashboard that has logged in. */
    DashboardClient as(String caller) {
        return new DashboardClient(port(), visitor().logIn(secret(caller)).text("session"));
    }

    /** The leases of the server, used in its own process: the server is not notified of what is done here. */
    Leases leases() {
        return leases;
    }

    /** Another client of the same file. */
    Leases beside(String holder) {
        return Holdfast.open(
                store, LeasesOptions.builder().holder(holder).withoutCleanUp().build());
    }

    @Override
    public void close() {
        server.close();
        leases.close();
    }
}
