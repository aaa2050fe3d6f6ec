package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.sim.world.World;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Invariant 6: once faults have healed, every call is answered, and every key can be had, within a stated time. */
final class Progress implements Checker {
    /** What a call takes beyond its limit at the most: to settle what became of a doubtful write, and some more. */
    private static final Duration SETTLED = Duration.ofSeconds(4);

    private final Checks checks;
    private final World world;
    private final Map<Operation, Long> pending = new LinkedHashMap<>();

    Progress(Checks checks, World world) {
        this.checks = checks;
        this.world = world;
    }

    @Override
    public void began(Operation operation) {
        pending.put(operation, operation.process().life());
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        pending.remove(operation);
        if (operation.isProbe() && result instanceof AcquireResult.Held held) {
            checks.violated(
                    "6, keys can be had again",
                    operation.key() + " was still held by " + held.holder() + " after " + operation.limit());
        }
    }

    @Override
    public void done(Operation operation) {
        pending.remove(operation);
    }

    @Override
    public void updated(Operation operation) {
        pending.remove(operation);
    }

    @Override
    public void failed(Operation operation, StoreException.Effect effect) {
        pending.remove(operation);
        if (operation.isProbe()) {
            checks.violated("6, keys can be had again", operation + " failed although all was well");
        }
    }

    @Override
    public void ended(Operation operation) {
        pending.remove(operation);
    }

    @Override
    public void end() {
        pending.forEach((operation, life) -> {
            long dueNanos =
                    operation.begunNanos() + operation.limit().plus(SETTLED).toNanos();
            if (operation.process().life() == life && dueNanos < world.nowNanos()) {
                checks.violated("6, every call is answered", operation + " was never answered");
            }
        });
    }
}
