package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.dynamodb.DynamoStoreProvider;
import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitOutlook;
import dev.holdfast.server.HoldfastServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of orders to a fleet, on every store and through a server. */
@Tag("slow")
class FleetOrdersContractTest {
    private static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(Duration.ofSeconds(20))
            .poll(Duration.ofMillis(100))
            .quiet(Duration.ofMillis(100));

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void onSqlite() {
        ordersAreFollowed("sqlite:" + folder.resolve("leases.db"));
    }

    @Test
    void onPostgres() throws Exception {
        EmbeddedPostgres server = EmbeddedPostgres.start();
        open.add(server);
        ordersAreFollowed("postgresql://postgres:postgres@localhost:" + server.getPort() + "/postgres");
    }

    @Test
    void onDynamo() {
        String url = LocalDynamo.patientUrl(LocalDynamo.freshTable());
        new DynamoStoreProvider().init(url, progress -> {});
        ordersAreFollowed(url);
    }

    @Test
    void throughAServer() {
        HoldfastServer server = HoldfastServer.builder()
                .store("sqlite:" + folder.resolve("served.db"))
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .drain(Duration.ofMillis(100))
                .build();
        server.start();
        open.add(server);
        ordersAreFollowed("http://127.0.0.1:" + server.address().getPort());
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
                .join();
        open.add(fleet);
        return fleet;
    }

    private static void until(BooleanSupplier condition) {
        Eventually.isTrue(condition, () -> "an order is not followed");
    }

    private static List<String> held(Fleet fleet) {
        return fleet.held().stream().map(Unit::name).sorted().toList();
    }

    private void ordersAreFollowed(String url) {
        Leases operator = leases(url, "ada");
        FleetControl control = Fleet.control(operator, "crew");
        Fleet.units(operator, "crew").create("a", "b", "c", "d");
        Fleet ann = join(url, "ann");
        Fleet bob = join(url, "bob");
        until(() -> held(ann).size() == 2 && held(bob).size() == 2);

        assertThat(control.pause(List.of("a", "b"), "bad data")).containsExactlyInAnyOrder("a", "b");
        assertThat(control.pause(List.of("a"), "again")).isEmpty();
        until(() -> control.notStopped(List.of("a", "b")).isEmpty());
        assertThat(held(ann)).doesNotContain("a", "b");
        assertThat(control.outlook("a").standing()).isEqualTo(UnitOutlook.Standing.PAUSED);
        assertThat(Fleet.status(operator, "crew").control().paused().get("a"))
                .satisfies(note -> assertThat(note.reason()).isEqualTo("bad data"))
                .satisfies(note -> assertThat(note.by()).isEqualTo("ada"));
        assertThatIllegalArgumentException().isThrownBy(() -> control.pause(List.of("x"), ""));

        assertThat(control.drain("ann", "kernel")).isTrue();
        until(() -> control.drainProgress("ann").empty());
        assertThat(held(ann)).isEmpty();
        // The drain ends when ann has let go; bob begins the unit a moment later.
        until(() -> held(bob).equals(List.of("c", "d")));
        assertThat(control.freeze("incident")).isTrue();
        assertThat(control.undrain("ann", "")).isTrue();
        assertThat(control.resume(List.of("a", "b"), "fixed")).containsExactlyInAnyOrder("a", "b");
        until(() -> held(ann).size() + held(bob).size() == 4);
        assertThat(held(bob)).as("nothing moves in a frozen fleet").contains("c", "d");

        assertThat(control.move("c", "ann", "")).isTrue();
        assertThat(control.move("c", "ann", "")).isFalse();
        assertThat(control.thaw("")).isTrue();
        until(() -> held(ann).contains("c") && held(ann).size() == 2);
        operator.cleanUp(CleanUpOptions.idle(100).doneOlderThan(Duration.ZERO));
        assertThat(control.state().moves()).containsOnlyKeys("c");
        assertThat(control.cancelMove("c", "")).isTrue();
        assertThat(control.state()).isEqualTo(ControlState.NONE);
    }
}
