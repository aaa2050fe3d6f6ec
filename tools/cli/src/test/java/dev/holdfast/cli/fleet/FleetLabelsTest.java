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
import dev.holdfast.fleet.FleetStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Labels of workers and conditions of units on the command line. */
@Tag("slow")
class FleetLabelsTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String url() {
        return "sqlite:" + folder.resolve("leases.db");
    }

    private int holdfast(String line) {
        out.reset();
        err.reset();
        CommandConsole console = new CommandConsole(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of("HOLDFAST_STORE", url(), "HOME", folder.toString()),
                new TerminalInfo(""));
        return new CommandRunner(console).run(line.split(" "));
    }

    private Leases leases(String holder) {
        return Holdfast.open(url(), LeasesOptions.builder().holder(holder).build());
    }

    @Test
    void theStatusNamesLabelsAndTheLabelsThatAreMissing() {
        holdfast("fleet units crew add a --require zone=a --require zone=b --group g");
        holdfast("fleet units crew add c d --require zone=c --prefer disk=ssd");
        FleetOptions options = FleetOptions.defaults()
                .term(Duration.ofSeconds(20))
                .poll(Duration.ofMillis(100))
                .quiet(Duration.ofMillis(100));
        try (Leases leases = leases("ann");
                Fleet ann = Fleet.of(leases, "crew")
                        .worker("ann")
                        .options(options)
                        .label("zone", "a")
                        .maxUnits(7)
                        .load(() -> 2.5)
                        .join()) {
            long begun = System.nanoTime();
            while (ann.held().isEmpty() || !hasStartedItsUnit(ann.status())) {
                assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(2));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }

            assertThat(holdfast("fleet status crew")).isEqualTo(ExitCode.OK);
            assertThat(out.toString(UTF_8))
                    .contains("unplaced 2: no worker has the required zone=c (c, d)\n")
                    .containsPattern("WORKER +UNITS +CAPACITY +WAITING +LOAD +LABELS")
                    .containsPattern("ann +1 +7 +0 +2.5 +zone=a");
            assertThat(holdfast("fleet status crew --json")).isEqualTo(ExitCode.OK);
            assertThat(out.toString(UTF_8))
                    .contains("\"capacity\":7,\"load\":2.5,\"labels\":{\"zone\":\"a\"}")
                    .contains("{\"reason\":\"labels\",\"count\":2,\"units\":[\"c\",\"d\"],"
                            + "\"labels\":{\"zone\":[\"c\"]}}");
        }
    }

    private static boolean hasStartedItsUnit(FleetStatus status) {
        return status.moves() == 0
                && status.workers().stream().anyMatch(worker -> worker.units() == 1 && worker.waiting() == 0);
    }

    @Test
    void aRequirementIsRefusedWhileAnOlderWorkerIsJoined() {
        try (Leases leases = leases("old");
                Anchor old = leases.anchor("crew/old", Duration.ofMinutes(5))) {
            old.update(AttributePatch.putting("capacity", 5));

            assertThat(holdfast("fleet units crew add a --require zone=a")).isEqualTo(ExitCode.ERROR);
            assertThat(err.toString(UTF_8))
                    .startsWith("holdfast: fleet crew: workers of an older version are joined")
                    .endsWith(": old\n");
            assertThat(holdfast("fleet units crew add a --prefer zone=a")).isEqualTo(ExitCode.OK);
        }
    }
}
