package dev.holdfast.examples;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Worker of a fleet. Each file of a folder is a unit. The number of processed lines is an attribute of the unit, so
 * that the next worker continues from there. A completely processed file is marked as done and is not assigned again.
 *
 * <p>Start it twice, and each process handles half of the files. Kill one, and the other continues with its files after
 * ten seconds: {@code FleetWorker sqlite:/tmp/leases.db /tmp/inbox}
 */
public final class FleetWorker {
    private final Path folder;
    private final BiConsumer<Unit, String> sink;
    private final Map<String, Work> works = new ConcurrentHashMap<>();

    /** @param sink receives the lines; it should reject a smaller fence than it has seen for the same unit */
    public FleetWorker(Path folder, BiConsumer<Unit, String> sink) {
        this.folder = folder;
        this.sink = sink;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        FleetWorker worker = new FleetWorker(Path.of(args[1]), (unit, line) -> System.out.println(unit + ": " + line));
        try (Leases leases = Holdfast.open(args[0]);
                Fleet fleet = worker.join(leases, FleetOptions.defaults());
                Stream<Path> files = Files.list(worker.folder)) {
            fleet.units()
                    .create(files.map(file -> file.getFileName().toString()).toArray(String[]::new));
            Thread.currentThread().join(); // until it is killed
        }
    }

    /** Starts working. Closing the fleet hands the files over: the next worker continues where this one stopped. */
    public Fleet join(Leases leases, FleetOptions options) {
        return Fleet.of(leases, "files")
                .options(options)
                .onAssigned(unit -> works.put(unit.name(), new Work(unit)))
                .onRevoked(unit ->
                        Objects.requireNonNull(works.remove(unit.name())).stop())
                .join();
    }

    /** The work on one file. */
    private final class Work {
        private final Unit unit;
        private volatile boolean stopping;
        private final CompletableFuture<Void> end;

        Work(Unit unit) {
            this.unit = unit;
            this.end = CompletableFuture.runAsync(this::run, command -> new Thread(command).start());
        }

        private void run() {
            try {
                int next =
                        unit.attributes().number("lines").map(Number::intValue).orElse(0);
                List<String> lines = Files.readAllLines(folder.resolve(unit.name()));
                while (next < lines.size() && !stopping) {
                    sink.accept(unit, lines.get(next++));
                    if (next % 10 == 0) {
                        unit.update(AttributePatch.putting("lines", next));
                    }
                }
                if (next < lines.size()) {
                    unit.update(AttributePatch.putting("lines", next));
                } else {
                    unit.done(AttributePatch.putting("lines", next));
                    works.remove(unit.name(), this);
                }
            } catch (Exception e) {
                unit.fail(e); // retried after a delay, by this worker or another
            }
        }

        void stop() {
            stopping = true;
            end.join();
        }
    }
}
