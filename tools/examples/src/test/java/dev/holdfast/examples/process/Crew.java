package dev.holdfast.examples.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The processes of a fleet. */
final class Crew implements AutoCloseable {
    static final String FLEET = "crew";

    /** Enough for a loaded machine; an idle one needs far less. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final Duration LIFE = Duration.ofMinutes(20);

    private final String url;
    private final Path folder;
    private final Duration term;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private int started;

    Crew(String url, Path folder, Duration term) {
        this.url = url;
        this.folder = folder;
        this.term = term;
    }

    List<String> names() {
        return List.copyOf(processes.keySet());
    }

    String start() throws IOException {
        String name = "worker-" + started++;
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx96m",
                        "-Dorg.sqlite.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        NotingWorker.class.getName(),
                        url,
                        FLEET,
                        name,
                        folder.resolve(name + ".history").toString(),
                        Long.toString(term.toMillis()),
                        Long.toString(LIFE.toSeconds()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .start();
        processes.put(name, process);
        return name;
    }

    /** Sends SIGKILL. */
    void kill(String name) throws InterruptedException {
        end(name, ProcessHandle::destroyForcibly);
    }

    /** Sends SIGTERM: the worker hands over all units and exits. */
    void stop(String name) throws InterruptedException {
        end(name, ProcessHandle::destroy);
    }

    private void end(String name, Consumer<ProcessHandle> how) throws InterruptedException {
        Process process = Objects.requireNonNull(processes.remove(name));
        assertThat(process.isAlive()).as(output(name)).isTrue();
        how.accept(process.toHandle());
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(name + " ends")
                .isTrue();
    }

    private String output(String name) {
        try {
            return name + ": " + Files.readString(folder.resolve(name + ".out"));
        } catch (IOException e) {
            return name + ": " + e;
        }
    }

    /** Waits until exactly these workers are in the fleet and hold all units. */
    void awaitAllHeld(Leases leases, int units) {
        await(leases, status -> isCrew(status) && status.units().held() == units && status.moves() == 0);
    }

    /** Also waits until the numbers of units per worker differ by at most one. */
    void awaitBalance(Leases leases, int units) {
        await(
                leases,
                status -> isCrew(status)
                        && status.units().held() == units
                        && status.workers().stream()
                                .allMatch(worker ->
                                        isShare(worker, units, status.workers().size())));
    }

    private boolean isCrew(FleetStatus status) {
        return status.workers().stream()
                .map(WorkerStatus::worker)
                .sorted()
                .toList()
                .equals(processes.keySet().stream().sorted().toList());
    }

    private static boolean isShare(WorkerStatus worker, int units, int workers) {
        return worker.units() >= units / workers && worker.units() <= (units + workers - 1) / workers;
    }

    private void await(Leases leases, Predicate<FleetStatus> condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        FleetStatus status = Fleet.status(leases, FLEET);
        while (!condition.test(status)) {
            for (String name : processes.keySet()) {
                assertThat(Objects.requireNonNull(processes.get(name)).isAlive())
                        .as(output(name))
                        .isTrue();
            }
            assertThat(System.nanoTime()).as("not in time: " + status).isLessThan(deadline);
            LockSupport.parkNanos(50_000_000);
            status = Fleet.status(leases, FLEET);
        }
    }

    List<String> histories() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < started; i++) {
            String text = Files.readString(folder.resolve("worker-" + i + ".history"));
            // A worker may have been killed while it wrote a line.
            lines.addAll(text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
        }
        return lines;
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
