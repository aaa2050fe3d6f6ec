package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.ChangeNotifier.Registration;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications through TLS, which reads from the socket of {@link ListenerSocketFactory} in records of its own. */
class NotificationTlsTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final char[] PASSWORD = "secret".toCharArray();

    /** The listening connections, and whether they are encrypted. */
    private static final String LISTENERS =
            "SELECT a.pid || ' ' || s.ssl FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid)"
                    + " WHERE a.pid <> pg_backend_pid() AND a.query LIKE '%SKIP LOCKED%'";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void releasesAreNotifiedOverOneEncryptedConnection() throws Exception {
        KeyStore keys = selfSigned();
        Path certificate = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
        Path key = pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        EmbeddedPostgres.Builder builder = Server.durable(EmbeddedPostgres.builder())
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", certificate.toString())
                .setServerConfig("ssl_key_file", key.toString());
        try (EmbeddedPostgres postgres = builder.start()) {
            String url = Server.url(postgres.getPort(), "holdfast", "sslmode=require");
            try (Leases ann = Holdfast.open(url);
                    PostgresStore store = PostgresStore.open(url)) {
                Semaphore wakes = new Semaphore(0);
                ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().release();
                List<String> listeners = new ArrayList<>();
                for (int round = 0; round < 3; round++) {
                    Lease lease = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
                    Registration registration = ((ChangeNotifier) store).onFreed(KEY, found -> wakes.release());
                    Eventually.holds(() -> query(postgres, "SELECT wanted > clock_timestamp() FROM holdfast.entry")
                            .equals(List.of("t")));
                    listeners.addAll(query(postgres, LISTENERS));
                    assertThat(wakes.availablePermits()).isZero();

                    lease.release();

                    assertThat(wakes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
                    registration.close();
                    wakes.drainPermits();
                    ann.delete(KEY);
                }
                assertThat(listeners).hasSize(3).allMatch(it -> it.endsWith(" true"));
                assertThat(listeners.stream().distinct()).hasSize(1);
            }
        }
    }

    private static List<String> query(EmbeddedPostgres postgres, String sql) throws Exception {
        List<String> values = new ArrayList<>();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(String.valueOf(rows.getString(1)));
            }
        }
        return values;
    }

    private KeyStore selfSigned() throws Exception {
        Path file = folder.resolve("server.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String command = "-genkeypair -alias server -keyalg RSA -dname CN=localhost -storetype PKCS12 -storepass "
                + new String(PASSWORD) + " -keystore " + file;
        List<String> arguments = new ArrayList<>(List.of(keytool));
        arguments.addAll(List.of(command.split(" ", -1)));
        Process process = new ProcessBuilder(arguments).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(file)) {
            keys.load(input, PASSWORD);
        }
        return keys;
    }

    /** The server reads its private key only from a file that no other user can read. */
    private Path pem(String type, byte[] encoded) throws Exception {
        Path file = folder.resolve(type.replace(' ', '-') + ".pem");
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n", US_ASCII);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }
}
