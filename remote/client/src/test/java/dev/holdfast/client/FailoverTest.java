package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that start and stop while clients use them. */
@Tag("slow")
class FailoverTest {
    private static final Key KEY = Key.of("a");

    @TempDir
    private Path folder;

    private String store() {
        return "sqlite:" + folder.resolve("leases.db");
    }

    private static Leases open(String url) {
        return Holdfast.open(
                url,
                LeasesOptions.builder()
                        .holder("ann")
                        .operationTimeout(Duration.ofSeconds(60))
                        .build());
    }

    @Test
    void whenOneServerStopsClientsUseTheOther() {
        TestServer first = TestServer.on(store());
        try (TestServer second = TestServer.on(store());
                Leases leases = open("http://" + first.host() + "," + second.host())) {
            Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            Anchor anchor = leases.anchor("worker", Duration.ofMinutes(1));
            Lease child = leases.tryAcquire(
                            Key.of("child"), AcquireOptions.defaults().under(anchor))
                    .orThrow();

            first.close();

            lease.renew();
            anchor.renew();
            assertThat(lease.isHeld()).isTrue();
            assertThat(child.isHeld()).isTrue();
            assertThat(leases.tryAcquire(
                                    Key.of("another"), AcquireOptions.defaults().under(anchor))
                            .isGranted())
                    .isTrue();
            child.done();
            assertThat(leases.release(KEY, lease.token())).isTrue();
        }
    }

    @Test
    void leasesSurviveARestartThatIsShorterThanTheirTerm() {
        TestServer before = TestServer.on(store());
        int port = before.port();
        try (Leases leases = open(before.url())) {
            Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults().term(Duration.ofMinutes(5)))
                    .orThrow();
            before.close();
            CompletableFuture<Void> renewing = lease.renewAsync().toCompletableFuture();
            try (TestServer after = TestServer.at(store(), port)) {
                assertThat(renewing).succeedsWithin(60, TimeUnit.SECONDS);

                assertThat(lease.isHeld()).isTrue();
                assertThat(after.port()).isEqualTo(port);
                lease.close();
            }
        }
    }

    @Test
    void aRequestThatWaitsAtAStoppingServerContinuesAtTheNext() {
        TestServer first = TestServer.on(store());
        try (TestServer second = TestServer.on(store());
                Leases holder = open(second.url());
                Leases waiter = open("http://" + first.host() + "," + second.host())) {
            Lease lease = holder.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
            CompletableFuture<AcquireResult> waiting = waiter.async()
                    .acquire(KEY, AcquireOptions.defaults(), Duration.ofMinutes(5))
                    .toCompletableFuture();
            first.close();
            assertThat(waiting).isNotDone();

            lease.release();

            assertThat(waiting).succeedsWithin(60, TimeUnit.SECONDS).matches(AcquireResult::isGranted);
        }
    }

    @Test
    void withoutAnyServerARequestIsReportedAsNotApplied() {
        int port;
        try (TestServer gone = TestServer.on("memory:")) {
            port = gone.port();
        }
        LeasesOptions impatient =
                LeasesOptions.builder().operationTimeout(Duration.ofSeconds(1)).build();
        try (Leases leases = Holdfast.open("http://127.0.0.1:" + port, impatient)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.tryAcquire("a"))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED))
                    .withMessageStartingWith("a: the request was not applied");
        }
    }
}
