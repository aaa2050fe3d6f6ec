package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.LeaseService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet with workers that only reach servers, not the store. */
@Tag("slow")
class RemoteFleetTest {
    private static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(Duration.ofSeconds(20))
            .poll(Duration.ofMillis(200))
            .quiet(Duration.ofMillis(500));

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private TestServer server() {
        TestServer server = TestServer.on("sqlite:" + folder.resolve("leases.db"));
        open.add(server);
        return server;
    }

    private Leases leases(String url, String holder) {
        Leases leases = Holdfast.open(
                url,
                LeasesOptions.builder()
                        .holder(holder)
                        .operationTimeout(Duration.ofMinutes(1))
                        .build());
        open.add(leases);
        return leases;
    }

    private Fleet join(String url, String worker) {
        Fleet fleet = Fleet.of(leases(url, worker), "crew")
                .worker(worker)
                .options(OPTIONS)
                .onAssigned(unit -> {})
                .onRevoked(unit -> {})
                .join();
        open.add(fleet);
        return fleet;
    }

    private static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(2));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    void unitsAreSharedAndTheFleetContinuesWhenAServerStops() {
        TestServer first = server();
        TestServer second = server();
        String both = "http://" + first.host() + "," + second.host();
        Fleet ann = join(both, "ann");
        ann.units().create("a", "b", "c", "d", "e", "f");
        Fleet bob = join(both, "bob");
        until(() -> ann.held().size() == 3 && bob.held().size() == 3);

        first.close();
        bob.close();

        until(() -> ann.held().size() == 6);
        assertThat(ann.isHealthy()).isTrue();
        assertThat(ann.status().planner()).contains("ann");
    }

    @Test
    void administratorsChangeAndDeleteHeldUnits() {
        TestServer server = server();
        Fleet ann = join(server.url(), "ann");
        ann.units().create("a", "b");
        until(() -> ann.held().size() == 2);

        var units = Fleet.units(leases(server.url(), "operator"), "crew");
        assertThat(units.forceUpdate("a", AttributePatch.putting("from", 7))).isTrue();
        assertThat(units.delete("b")).isTrue();

        until(() -> ann.held().size() == 1);
        assertThat(ann.held()).extracting(Unit::name).containsExactly("a");
        until(() -> units.list().count() == 1);
        assertThat(units.list()).extracting(UnitStatus::name).containsExactly("a");
    }

    @Test
    void tokensAreShownOnlyToTheHolderOfTheAnchor() {
        TestServer server = server();
        Leases ann = leases(server.url(), "ann");
        Anchor anchor = ann.anchor("worker", Duration.ofMinutes(1));
        Anchor other = ann.anchor("other", Duration.ofMinutes(1));
        Lease lease = ann.tryAcquire(Key.of("a"), AcquireOptions.defaults().under(anchor))
                .orThrow();

        assertThat(shown(ann, anchor)).isEqualTo(lease.token());
        assertThat(shown(ann, other)).isEqualTo(Token.HIDDEN);
    }

    private static Token shown(Leases leases, Anchor anchor) {
        return LeaseService.of(leases)
                .statuses()
                .getWithToken(Key.of("a"), AnchorProof.of(anchor))
                .join()
                .flatMap(status -> Optional.ofNullable(status.entry().grant()))
                .orElseThrow()
                .token();
    }
}
