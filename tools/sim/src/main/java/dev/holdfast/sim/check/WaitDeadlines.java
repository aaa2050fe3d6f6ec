package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;

/** A check that a request is not granted after its wait has timed out. */
final class WaitDeadlines extends InvariantChecker {
    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        long waited = call.process().clock().ticker() - call.begunTicker();
        if (result.isGranted() && waited > call.limit().toNanos()) {
            violated("waits are bounded", call + " was granted after " + waited / 1_000_000 + " ms of " + call.limit());
        }
    }
}
