package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;

/** Who stops waiting is not granted anything afterwards. */
final class Deadlines implements Checker {
    private final Checks checks;

    Deadlines(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        long waited = operation.process().clock().ticker() - operation.begunTicker();
        if (result.isGranted() && waited > operation.limit().toNanos()) {
            checks.violated(
                    "waits are bounded",
                    operation + " was granted after " + waited / 1_000_000 + " ms of " + operation.limit());
        }
    }
}
