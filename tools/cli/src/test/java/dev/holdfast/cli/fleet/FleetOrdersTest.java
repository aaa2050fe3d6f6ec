package dev.holdfast.cli.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.cli.CommandRunner;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.TerminalInfo;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orders to a fleet from the command line, and how its status shows them. */
@Tag("slow")
class FleetOrdersTest {
    private static final FleetOptions OPTIONS = FleetOptions.defaults()
            .term(Duration.ofSeconds(20))
            .poll(Duration.ofMillis(100))
            .quiet(Duration.ofMillis(100));

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private String url() {
        return "sqlite:" + folder.resolve("leases.db");
    }

    private int holdfast(String line) {
        out.reset();
        err.reset();
        CommandConsole console = new CommandConsole(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of("HOLDFAST_STORE", url(), "HOLDFAST_OWNER", "ada", "HOME", folder.toString()),
                new TerminalInfo(""));
        return new CommandRunner(console).run(line.split(" "));
    }

    private String status() {
        assertThat(holdfast("fleet status crew")).as(err::toString).isEqualTo(ExitCode.OK);
        return out.toString(UTF_8);
    }

    private Leases leases(String holder) {
        Leases leases =
                Holdfast.open(url(), LeasesOptions.builder().holder(holder).build());
        open.add(leases);
        return leases;
    }

    private Fleet join(String worker) {
        Fleet fleet =
                Fleet.of(leases(worker), "crew").worker(worker).options(OPTIONS).join();
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
    void unitsArePausedWorkersDrainedAndTheStatusSaysWhyAndByWhom() {
        holdfast("fleet units crew add a b c d");
        Fleet ann = join("ann");
        Fleet bob = join("bob");
        until(() -> ann.held().size() == 2 && bob.held().size() == 2);

        assertThat(holdfast("fleet pause crew a b --reason ticket-4711 --wait --json"))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"fleet\":\"crew\",\"order\":\"pause\",\"changed\":[\"a\",\"b\"]}\n");
        assertThat(ann.held().size() + bob.held().size()).isEqualTo(2);
        assertThat(holdfast("fleet pause crew a")).isEqualTo(ExitCode.OK);
        assertThat(err.toString(UTF_8)).isEqualTo("holdfast: 'a' is paused already\n");

        assertThat(holdfast("fleet drain crew ann --reason kernel --wait --timeout 60s"))
                .as(err::toString)
                .isEqualTo(ExitCode.OK);
        assertThat(ann.held()).isEmpty();
        assertThat(status())
                .contains("2 paused")
                .containsPattern("paused   a, .* by ada: ticket-4711\n")
                .containsPattern("drained  ann, .* by ada: kernel\n")
                .containsPattern("ann +0 +0 +draining");

        assertThat(holdfast("fleet drain crew bob --timeout 1s")).isEqualTo(ExitCode.HELD);
        assertThat(err.toString(UTF_8))
                .contains("'bob' has 2 units left; units cannot move: all workers are draining")
                .contains("not within 1s");
        assertThat(status()).contains("unplaced 2: all workers are draining (c, d)");
        assertThat(holdfast("fleet status crew --json")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(UTF_8))
                .contains("\"paused\":[{\"unit\":\"a\",\"reason\":\"ticket-4711\",\"by\":\"ada\",\"at\":\"20")
                .contains("\"unplaced\":[{\"reason\":\"all_draining\",\"count\":2,\"units\":[\"c\",\"d\"]}]");

        assertThat(holdfast("fleet undrain crew ann bob")).isEqualTo(ExitCode.OK);
        assertThat(holdfast("fleet resume crew --all")).isEqualTo(ExitCode.OK);
        until(() -> ann.held().size() == 2 && bob.held().size() == 2);
    }

    @Test
    void aFleetIsFrozenAndAUnitMovedAndOldWorkersAreNamed() {
        holdfast("fleet units crew add a b");
        Fleet ann = join("ann");
        until(() -> ann.held().size() == 2);
        assertThat(holdfast("fleet freeze crew --reason incident")).isEqualTo(ExitCode.OK);
        Fleet bob = join("bob");

        assertThat(holdfast("fleet move crew a bob")).as(err::toString).isEqualTo(ExitCode.OK);
        assertThat(err.toString(UTF_8)).contains("the fleet is frozen, so this waits until holdfast fleet thaw crew");
        assertThat(bob.held()).isEmpty();
        assertThat(status()).containsPattern("frozen   .* by ada: incident\n").containsPattern("moved    a to bob, ");
        assertThat(holdfast("fleet thaw crew")).isEqualTo(ExitCode.OK);
        assertThat(holdfast("fleet move crew a bob --wait")).isEqualTo(ExitCode.OK);
        assertThat(bob.held()).hasSize(1).allMatch(unit -> unit.name().equals("a"));

        Anchor old = leases("old").anchor("crew/old", Duration.ofSeconds(30));
        open.add(old);
        old.update(AttributePatch.putting("capacity", 0).put("notice", true));
        assertThat(holdfast("fleet freeze crew")).isEqualTo(ExitCode.ERROR);
        assertThat(err.toString(UTF_8))
                .contains("workers of an older version are joined")
                .contains(": old; upgrade or stop them first");
        assertThat(status()).contains("warning  workers of an older version are joined, and ignore orders");
        assertThat(holdfast("fleet move crew a --cancel")).isEqualTo(ExitCode.OK);
    }
}
