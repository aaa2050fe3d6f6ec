package dev.holdfast.chaos;

import dev.holdfast.chaos.backend.ChaosBackend;
import dev.holdfast.chaos.backend.ChaosBackends;
import dev.holdfast.chaos.backend.ChaosFault;
import dev.holdfast.chaos.resource.ProtectedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One run on one store: starts the clients, strikes faults for a while, heals all of them, checks that every recent key can be
 * acquired, and lets the judges read what was recorded.
 */
public final class ChaosRun {
    /** A key lives for this long, so that its history stays short. */
    private static final int EPOCH_SECONDS = 8;

    /** The longest time that a run goes on to reach its goal. */
    private static final int MORE_SECONDS_MAX = 180;

    private final ChaosOptions options;
    private final String store;
    private final Path folder;
    private final long originNanos = System.nanoTime();

    public ChaosRun(ChaosOptions options, String store) {
        this.options = options;
        this.store = store;
        this.folder = options.out().resolve(store).toAbsolutePath();
    }

    public ChaosReport run() throws IOException, InterruptedException, SQLException {
        return run(RunGoal.NONE);
    }

    /** Runs until the time is over and the goal is reached, or far too much time is over. */
    public ChaosReport run(RunGoal goal) throws IOException, InterruptedException, SQLException {
        Files.createDirectories(folder);
        Path data = Files.createTempDirectory(folder, "data-");
        ProtectedFile resource = new ProtectedFile(data.resolve("resource.db"));
        resource.create();
        ChaosReport report;
        try (ChaosBackend backend =
                        ChaosBackends.start(store, Files.createDirectory(data.resolve("store")), options.clients());
                HistoryFile history = new HistoryFile(folder.resolve("history.txt"), originNanos)) {
            report = run(backend, history, data, goal);
        }
        Files.write(folder.resolve("witness.txt"), resource.witnessLines());
        report = RunJudges.judge(report, folder, options.guarded());
        Files.writeString(folder.resolve("report.json"), report.json());
        if (report.violations().isEmpty()) {
            delete(data);
        }
        return report;
    }

    private static void delete(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private ChaosReport run(ChaosBackend backend, HistoryFile history, Path data, RunGoal goal)
            throws IOException, InterruptedException, SQLException {
        List<ChaosViolation> violations = new ArrayList<>();
        try (SignalShell shell = new SignalShell();
                ClientGroup clients =
                        new ClientGroup(options, backend, data, data.resolve("resource.db"), originNanos, history)) {
            List<ChaosFault> faults = new ArrayList<>(ClientFault.all(clients, options.clients(), shell));
            faults.addAll(backend.faults());
            FaultSchedule schedule = new FaultSchedule(faults, history, options.termMillis());
            ProtectedFile resource = new ProtectedFile(data.resolve("resource.db"));
            // A client that is stopped would outlive a harness that is interrupted.
            Thread atExit = new Thread(clients::close);
            Runtime.getRuntime().addShutdownHook(atExit);
            int epoch =
                    underFaults(clients, schedule, () -> goal.isReached(history.calls(), schedule.counts(), resource));
            clients.revive();
            violations.addAll(ProgressCheck.stuck(clients.drain(), history));
            violations.addAll(ProgressCheck.check(clients, history, epoch - 1));
            Runtime.getRuntime().removeShutdownHook(atExit);
            return new ChaosReport(
                    store,
                    options.seed(),
                    options.command(store),
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - originNanos),
                    history.calls(),
                    history.unknownOutcomes(),
                    clients.unplannedExits(),
                    0,
                    schedule.counts(),
                    List.of(),
                    schedule.failures(),
                    violations);
        }
    }

    private interface ReachedGoal {
        boolean isReached() throws SQLException;
    }

    /** Returns the last epoch. */
    private int underFaults(ClientGroup clients, FaultSchedule schedule, ReachedGoal goal)
            throws IOException, InterruptedException, SQLException {
        int epoch = 1;
        clients.nextEpoch(epoch);
        for (int client = 1; client <= options.clients(); client++) {
            clients.start(client);
        }
        try (schedule) {
            schedule.start(options.seed());
            int most = options.seconds() + MORE_SECONDS_MAX;
            for (int second = 1; second <= most; second++) {
                Thread.sleep(1000);
                clients.revive();
                if (second >= options.seconds() && goal.isReached()) {
                    break;
                }
                if (second % EPOCH_SECONDS == 0) {
                    clients.nextEpoch(++epoch);
                }
            }
        }
        return epoch;
    }
}
