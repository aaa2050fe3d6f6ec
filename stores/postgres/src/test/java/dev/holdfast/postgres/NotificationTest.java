package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.ChangeNotifier.Registration;
import dev.holdfast.store.LeaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** LISTEN and NOTIFY between clients that share only the database. */
class NotificationTest {
    private static final Key KEY = Key.of("orders", "é/42");

    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();

    @SuppressWarnings("NullAway.Init")
    private Leases ann;

    @SuppressWarnings("NullAway.Init")
    private Leases bob;

    @BeforeEach
    void open() {
        ann = Holdfast.open(
                server.url(schema), LeasesOptions.builder().holder("ann").build());
        bob = Holdfast.open(
                server.url(schema), LeasesOptions.builder().holder("bob").build());
    }

    @AfterEach
    void close() {
        ann.close();
        bob.close();
    }

    @Test
    void aReleaseWakesAnotherProcessImmediately() throws Exception {
        bob.tryAcquire("warm up").orThrow().release();
        List<Long> delays = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            Lease lease = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            CompletableFuture<AcquireResult> waiting = waitFor(bob, KEY);
            untilWanted();

            long releasedNanos = System.nanoTime();
            lease.release();
            Lease granted = waiting.get(10, TimeUnit.SECONDS).orThrow();
            delays.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - releasedNanos));
            granted.release();
        }

        // A client that is not woken retries only after a second or more.
        assertThat(delays.stream().sorted().toList().get(2)).isLessThan(300);
    }

    @Test
    void aDoneWakesAnotherProcessImmediately() throws Exception {
        Lease lease = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob, KEY);
        untilWanted();

        lease.done();

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    void onlyWantedKeysNotify() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN holdfast_" + schema);
            for (int i = 0; i < 20; i++) {
                ann.tryAcquire("unwanted-" + i).orThrow().release();
            }
            Lease lease = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            CompletableFuture<AcquireResult> waiting = waitFor(bob, KEY);
            untilWanted();
            assertThat(notifications(connection)).isEmpty();
            lease.renew();
            lease.release();
            waiting.get(10, TimeUnit.SECONDS).orThrow();

            assertThat(notifications(connection)).containsExactly(ReleaseListener.payload(KEY));
        }
    }

    @Test
    void aWaitChangesNeitherVersionNorBeat() throws Exception {
        ann.tryAcquire(KEY, AcquireOptions.defaults().autoRenew(false)).orThrow();
        String before = server.value("SELECT (version, beat, stamp)::text FROM " + schema + ".entry");
        CompletableFuture<AcquireResult> waiting = waitFor(bob, KEY);
        untilWanted();

        assertThat(server.value("SELECT (version, beat, stamp)::text FROM " + schema + ".entry"))
                .isEqualTo(before);
        waiting.cancel(true);
    }

    @Test
    void aListenerThatLostItsConnectionReconnectsAndWakes() throws Exception {
        try (PostgresStore store = PostgresStore.open(server.url(schema))) {
            Lease lease = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            Semaphore wakes = new Semaphore(0);
            Registration registration = notifier(store).onFreed(KEY, found -> wakes.release());
            untilWanted();
            assertThat(wakes.availablePermits()).isZero();

            assertThat(terminateListener()).isEqualTo(1);

            // A release may have been missed meanwhile.
            assertThat(wakes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            wakes.drainPermits();
            lease.release();
            assertThat(wakes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            registration.close();
        }
    }

    @Test
    void aKeyThatIsNotHeldWakesImmediately() throws Exception {
        try (PostgresStore store = PostgresStore.open(server.url(schema))) {
            Semaphore wakes = new Semaphore(0);
            Registration registration =
                    notifier(store).onFreed(Key.of("nobody", "holds this"), found -> wakes.release());

            assertThat(wakes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            registration.close();
        }
    }

    @Test
    void aClientThatWaitsInVainMarksNothingForEver() throws Exception {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        CompletableFuture<AcquireResult> waiting = waitFor(bob, KEY);
        untilWanted();
        waiting.cancel(true);

        assertThat(server.value("SELECT wanted < clock_timestamp() + interval '61 s' FROM " + schema + ".entry"))
                .isEqualTo("t");
    }

    private static ChangeNotifier notifier(LeaseStore store) {
        return (ChangeNotifier) store;
    }

    private static CompletableFuture<AcquireResult> waitFor(Leases leases, Key key) {
        return leases.async()
                .acquire(key, AcquireOptions.defaults(), Duration.ofSeconds(30))
                .toCompletableFuture();
    }

    private void untilWanted() throws Exception {
        Eventually.holds(() -> server.query("SELECT 1 FROM " + schema + ".entry WHERE wanted > clock_timestamp()")
                        .size()
                == 1);
    }

    private int terminateListener() throws SQLException {
        return server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND query LIKE '%\"" + schema + "\".entry%SKIP LOCKED%'")
                .size();
    }

    private static List<String> notifications(Connection connection) throws SQLException {
        List<String> notifications = new ArrayList<>();
        for (PGNotification notification : connection.unwrap(PGConnection.class).getNotifications(200)) {
            notifications.add(notification.getParameter());
        }
        return notifications;
    }
}
