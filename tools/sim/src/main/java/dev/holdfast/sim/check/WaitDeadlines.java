package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;

/** A check that a request is not granted after its wait has timed out. */
final class WaitDeadlines implements InvariantChecker {
    private final CheckerSet checkerSet;

    WaitDeadlines(CheckerSet checkerSet) {
        this.checkerSet = checkerSet;
    }

    @Override
    public void answered(SimulatedCall simulatedCall, AcquireResult result) {
        long waited = simulatedCall.process().clock().ticker() - simulatedCall.begunTicker();
        if (result.isGranted() && waited > simulatedCall.limit().toNanos()) {
            checkerSet.violated(
                    "waits are bounded",
                    simulatedCall + " was granted after " + waited / 1_000_000 + " ms of " + simulatedCall.limit());
        }
    }
}
