package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scenario in which two importers repeatedly write the rows of another tool, while that tool still changes them and
 * clients already use the same keys. The documentation forbids such a cut-over; even then an import costs no client its
 * lease.
 */
final class ImportedRows implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(6);
    private static final Duration WORK_MAX = Duration.ofMillis(2500);
    private static final Instant EPOCH = Instant.EPOCH;

    @Override
    public void play(Simulation simulation) {
        Map<Key, ImportedRow> rows = new HashMap<>();
        simulation.processes(
                "importer", 2, client -> client.loop(Duration.ofMillis(300), again -> importRow(client, rows, again)));
        simulation.processes("worker", 3, client -> client.loop(Duration.ofMillis(600), again -> work(client, again)));
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(15), KEYS);
    }

    private void importRow(SimClient client, Map<Key, ImportedRow> rows, Runnable again) {
        Key key = client.world().pick(KEYS);
        ImportedRow row = next(client, key, rows.get(key));
        rows.put(key, row);
        ImportTarget target = ((ImportingLeases) client.leases()).importTarget();
        client.call("import", key, api -> target.writeAsync(List.of(row)), again);
    }

    /** The row after a step of the other tool: unchanged, granted again, or done, which is final. */
    private static ImportedRow next(SimClient client, Key key, @Nullable ImportedRow before) {
        boolean stays =
                before != null && (before.doneAt() != null || client.world().chance(0.7));
        return before != null && stays ? before : row(client, key, before);
    }

    private static ImportedRow row(SimClient client, Key key, @Nullable ImportedRow before) {
        Token token = Token.of(client.environment().randomId());
        Duration left = client.world().millis(0, 1500);
        boolean done = client.world().chance(0.05);
        return new ImportedRow(
                key,
                client.environment().randomId().toString(),
                Fence.NONE,
                before == null ? 1 : before.grants() + 1,
                new ImportedRow.LastGrant(token, Holder.of("other-tool"), left, EPOCH),
                Attributes.NONE,
                EPOCH,
                done ? EPOCH : null);
    }

    private void work(SimClient client, Runnable again) {
        Key key = client.world().pick(KEYS);
        if (client.world().chance(0.2)) {
            client.call("reopen", key, api -> api.reopen(key), again);
            return;
        }
        AcquireOptions options = AcquireOptions.defaults().term(client.world().millis(800, 2800));
        client.acquire(key, options, Duration.ZERO, client.workUpTo(WORK_MAX, 0.2, again), again);
    }
}
