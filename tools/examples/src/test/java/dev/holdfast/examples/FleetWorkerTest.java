package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetWorkerTest {
    private static final int FILES = 6;
    private static final int LINES = 60;

    @TempDir
    private Path folder;

    private final Map<String, Long> fences = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> written = new ConcurrentLinkedQueue<>();

    @Test
    void theNextWorkerContinuesAndEveryLineIsWrittenOnce() throws IOException {
        Path inbox = Files.createDirectory(folder.resolve("inbox"));
        List<String> lines =
                IntStream.range(0, LINES).mapToObj(i -> "line " + i).toList();
        List<String> files =
                IntStream.range(0, FILES).mapToObj(i -> "file-" + i).toList();
        for (String file : files) {
            Files.write(inbox.resolve(file), lines);
        }
        String url = "sqlite:" + folder.resolve("leases.db");
        try (Leases ann = Holdfast.open(url);
                Leases bob = Holdfast.open(url)) {
            try (Fleet fleet = new FleetWorker(inbox, this::write).join(ann, FleetOptions.fast())) {
                fleet.units().create(files.toArray(String[]::new));
                Eventually.isTrue(() -> written.size() > FILES * 10, () -> written.size() + " lines are written");
            }
            assertThat(written).hasSizeLessThan(FILES * LINES);
            try (Fleet fleet = new FleetWorker(inbox, this::write).join(bob, FleetOptions.fast())) {
                Eventually.isTrue(() -> done(fleet) == FILES, () -> done(fleet) + " files are done");
            }
        }
        List<String> all = files.stream()
                .flatMap(file -> lines.stream().map(line -> file + " " + line))
                .toList();
        assertThat(written).containsExactlyInAnyOrderElementsOf(all);
    }

    /** Writes slowly, so that files are handed over before they are complete. */
    private void write(Unit unit, String line) {
        long fence = unit.fence().value();
        assertThat(fences.merge(unit.name(), fence, Math::max)).isEqualTo(fence);
        written.add(unit.name() + " " + line);
        LockSupport.parkNanos(5_000_000);
    }

    private static long done(Fleet fleet) {
        try (Stream<UnitStatus> units = fleet.units().list()) {
            return units.filter(unit -> unit.state() == LeaseState.DONE).count();
        }
    }
}
