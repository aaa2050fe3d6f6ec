package dev.holdfast.sim.scenario;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.service.LeaseService;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.SimulatedHolding;
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
final class ImportedRows implements Scenario {
    private static final List<Key> KEYS = Scenario.keys(6);
    private static final Instant EPOCH = Instant.EPOCH;

    @Override
    public void play(Simulation simulation) {
        Map<Key, ImportedRow> rows = new HashMap<>();
        for (int i = 0; i < 2; i++) {
            simulation.process("importer-" + i, Scenario.wrongClock(simulation), true, it -> importRows(it, rows));
        }
        for (int i = 0; i < 3; i++) {
            simulation.process("worker-" + i, Scenario.wrongClock(simulation), true, this::work);
        }
        simulation.playOut(Duration.ofSeconds(25), Duration.ofSeconds(15), KEYS);
    }

    private void importRows(SimClient client, Map<Key, ImportedRow> rows) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Key key = Scenario.pick(client.simulation(), KEYS);
        ImportedRow row = next(client, key, rows.get(key));
        rows.put(key, row);
        client.importRow(row, () -> client.afterUpTo(Duration.ofMillis(300), () -> importRows(client, rows)));
    }

    /** The row after a step of the other tool: unchanged, granted again, or done, which is final. */
    private static ImportedRow next(SimClient client, Key key, @Nullable ImportedRow before) {
        boolean stays =
                before != null && (before.doneAt() != null || client.world().chance(0.7));
        return before != null && stays ? before : row(client, key, before);
    }

    private static ImportedRow row(SimClient client, Key key, @Nullable ImportedRow before) {
        Token token = Token.of(LeaseService.of(client.leases()).environment().randomId());
        Duration left = Duration.ofMillis(client.world().random().nextInt(1500));
        boolean done = client.world().chance(0.05);
        return new ImportedRow(
                key,
                LeaseService.of(client.leases()).environment().randomId().toString(),
                Fence.NONE,
                before == null ? 1 : before.grants() + 1,
                new LastGrant(token, Holder.of("other-tool"), left, EPOCH),
                Attributes.NONE,
                EPOCH,
                done ? EPOCH : null);
    }

    private void work(SimClient client) {
        if (client.simulation().isWindingDown()) {
            return;
        }
        Runnable again = () -> client.afterUpTo(Duration.ofMillis(600), () -> work(client));
        Key key = Scenario.pick(client.simulation(), KEYS);
        if (client.world().chance(0.2)) {
            client.reopen(key, again);
            return;
        }
        AcquireOptions options = AcquireOptions.defaults()
                .term(Duration.ofMillis(800 + client.world().random().nextInt(2000)));
        client.acquire(key, options, Duration.ZERO, simulatedHolding -> work(client, simulatedHolding, again), again);
    }

    private static void work(SimClient client, SimulatedHolding simulatedHolding, Runnable then) {
        client.afterUpTo(Duration.ofMillis(2500), () -> {
            if (client.world().chance(0.2)) {
                client.done(simulatedHolding, () -> client.release(simulatedHolding, then));
            } else {
                client.release(simulatedHolding, then);
            }
        });
    }
}
