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
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run on one store: starts the clients, strikes faults for a while, heals all of them, checks that every recent key can be
 * acquired, and lets the judges read what was recorded.
 */
public final class ChaosRun {
    /** A key lives for this long, so that its history stays short. */
    private static final int EPOCH_SECONDS = 12;

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
        Files.createDirectories(folder);
        Path data = Files.createTempDirectory(folder, "data-");
        ProtectedFile resource = new ProtectedFile(data.resolve("resource.db"));
        resource.create();
        ChaosReport report;
        try (ChaosBackend backend =
                        ChaosBackends.start(store, Files.createDirectory(data.resolve("store")), options.clients());
                HistoryFile history = new HistoryFile(folder.resolve("history.txt"), originNanos)) {
            report = run(backend, history, data);
        }
        Files.write(folder.resolve("witness.txt"), resource.witnessLines());
        report = RunJudges.judge(report, folder, options.guarded());
        Files.writeString(folder.resolve("report.json"), report.json());
        return report;
    }

    private ChaosReport run(ChaosBackend backend, HistoryFile history, Path data)
            throws IOException, InterruptedException {
        List<ChaosViolation> violations = new ArrayList<>();
        try (ClientGroup clients =
                new ClientGroup(options, backend, data, data.resolve("resource.db"), originNanos, history)) {
            List<ChaosFault> faults = new ArrayList<>(ClientFault.all(clients, options.clients()));
            faults.addAll(backend.faults());
            FaultSchedule schedule = new FaultSchedule(faults, history, options.termMillis());
            int epoch = underFaults(clients, schedule);
            clients.revive();
            clients.drain();
            violations.addAll(ProgressCheck.check(clients, history, epoch - 1));
            return new ChaosReport(
                    store,
                    options.seed(),
                    options.command(store),
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - originNanos),
                    history.calls(),
                    history.unknownOutcomes(),
                    clients.unplannedExits(),
                    schedule.counts(),
                    List.of(),
                    schedule.failures(),
                    violations);
        }
    }

    /** Returns the last epoch. */
    private int underFaults(ClientGroup clients, FaultSchedule schedule) throws IOException, InterruptedException {
        int epoch = 1;
        clients.nextEpoch(epoch);
        for (int client = 1; client <= options.clients(); client++) {
            clients.start(client);
        }
        try (schedule) {
            schedule.start(options.seed());
            for (int second = 1; second <= options.seconds(); second++) {
                Thread.sleep(1000);
                clients.revive();
                if (second % EPOCH_SECONDS == 0) {
                    clients.nextEpoch(++epoch);
                }
            }
        }
        return epoch;
    }
}
