package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.security.NewToken;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fleets and sessions of tenants that share a server, through the Java client. */
@Tag("slow")
class FleetTenantsTest {
    private static final NewToken CREW = NewToken.create("crew", List.of("lease=fleet/crew,fleet/crew/*"));
    private static final NewToken CREW_TOO = NewToken.create("crew-too", List.of("lease=fleet/crew,fleet/crew/*"));
    private static final NewToken OTHER = NewToken.create("other", List.of("lease=other/*"));

    private static final NewToken OPERATOR = NewToken.create(
            "operator", List.of("lease=fleet/crew,fleet/crew/*", "admin=fleet/crew/control,fleet/crew/control/*"));

    private static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(Duration.ofSeconds(20))
            .poll(Duration.ofMillis(200))
            .quiet(Duration.ofMillis(500));

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Leases store;
    private HoldfastServer server;

    @BeforeEach
    void start() throws IOException {
        Path tokens = Files.write(
                folder.resolve("tokens"), List.of(CREW.line(), CREW_TOO.line(), OTHER.line(), OPERATOR.line()));
        store = Holdfast.open("memory:");
        open.add(store);
        ServerPerimeter serverPerimeter =
                new ServerPerimeter(PerimeterOptions.builder().tokens(tokens).build());
        open.add(serverPerimeter);
        server = serverPerimeter
                .around(
                        HoldfastServer.builder().leases(store).drain(Duration.ofMillis(100)),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build();
        server.start();
        open.add(server);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private Leases as(NewToken token, String holder) throws IOException {
        Path file = Files.writeString(folder.resolve("token-" + holder), token.secret());
        Leases leases = Holdfast.open(
                "http://127.0.0.1:" + server.address().getPort() + "?token-file=" + file,
                LeasesOptions.builder()
                        .holder(holder)
                        .operationTimeout(Duration.ofMinutes(1))
                        .build());
        open.add(leases);
        return leases;
    }

    private Fleet join(NewToken token, String worker) throws IOException {
        Fleet fleet = Fleet.of(as(token, worker), "crew")
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
    void workersOnlyNeedPermissionToLeaseInTheirFleet() throws Exception {
        Fleet ann = join(CREW, "ann");
        ann.units().create("a", "b");
        Fleet bob = join(CREW_TOO, "bob");
        until(() -> ann.held().size() == 1 && bob.held().size() == 1);

        // A worker dies: its anchor is not renewed, and the planner deletes it.
        Key ghost = Key.ofAnchor(Holder.of("crew/ghost"));
        grant(ghost, "crew/ghost", Duration.ofMillis(1));
        Leases planner = as(CREW, "planner");
        until(() -> planner.delete(ghost) instanceof EditResult.Changed);
        grant(ghost, "crew/ghost", Duration.ofHours(1));
        assertThat(planner.delete(ghost)).isInstanceOf(AcquireResult.HeldByAnother.class);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> as(OTHER, "intruder").delete(ghost))
                .withMessageContaining("other may not lease");
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> join(OTHER, "mallory"));
    }

    @Test
    void workersFollowOrdersButOnlyAdministratorsGiveThem() throws Exception {
        Fleet ann = join(CREW, "ann");
        ann.units().create("a", "b");
        Fleet bob = join(CREW_TOO, "bob");
        until(() -> ann.held().size() == 1 && bob.held().size() == 1);
        FleetControl control = Fleet.control(as(OPERATOR, "ada@laptop"), "crew");
        String unit = ann.held().get(0).name();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ann.control().pause(List.of(unit), ""))
                .withMessageContaining("crew may not administer in namespace \"fleet/crew/control/paused\"");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ann.control().freeze(""))
                .withMessageContaining("crew may not administer");
        control.pause(List.of(unit), "bad shard");
        until(() -> ann.held().isEmpty());
        assertThat(ann.control().state().paused())
                .hasEntrySatisfying(unit, note -> assertThat(note.by()).isEqualTo("operator (ada@laptop)"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> bob.control().resume(List.of(unit), ""))
                .withMessageContaining("crew-too may not administer");

        control.resume(List.of(unit), "");
        control.move(unit, "bob", "");
        until(() -> bob.held().stream().anyMatch(held -> held.name().equals(unit)));
        control.drain("bob", "");
        until(() -> control.drainProgress("bob").empty());
        until(() -> control.state().moves().isEmpty());
        assertThat(ann.held()).hasSize(2);
    }

    private void grant(Key key, String holder, Duration term) {
        LeaseService.of(store)
                .acquire(
                        key,
                        new LeaseRequest.Acquire(
                                Token.parse(UUID.randomUUID().toString()),
                                Holder.of(holder),
                                Term.of(term),
                                AttributePatch.NONE,
                                null),
                        0)
                .join();
    }

    @Test
    void twoTenantsHoldSessionsOfTheSameName() throws Exception {
        Anchor others = as(OTHER, "eve").anchor("svc", Duration.ofMinutes(5));
        Leases crew = as(CREW, "ann");

        Anchor anchor = crew.anchor("svc", Duration.ofMinutes(5));
        var unit = crew.tryAcquire(
                Key.of("fleet/crew/x", "unit"), AcquireOptions.defaults().under(anchor));

        assertThat(unit.isGranted()).isTrue();
        anchor.renew();
        others.renew();
        assertThat(unit.orThrow().isHeld()).isTrue();
        anchor.close();
        others.renew();
        assertThat(as(CREW, "bob").anchor("svc", Duration.ofMinutes(5)).isHeld())
                .isTrue();
    }
}
