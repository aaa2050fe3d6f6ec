package dev.holdfast.examples;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.IOException;
import java.time.Duration;

/**
 * Lock around a deployment: deployments run one at a time, and a slow one never overwrites a later one. deploy.sh does
 * the same with the command line. {@code DeployLock sqlite:/tmp/leases.db shop ./roll-out.sh}
 */
public final class DeployLock {
    private static final int HELD = 3;
    private static final int LOST = 5;

    private DeployLock() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try (Leases leases = Holdfast.open(args[0])) {
            System.exit(deploy(leases, args[1], new ProcessBuilder(args[2]).inheritIO()));
        }
    }

    /** Runs the command while no other deployment of {@code target} runs, and returns its exit code. */
    public static int deploy(Leases leases, String target, ProcessBuilder command)
            throws IOException, InterruptedException {
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofSeconds(30));
        AcquireResult result = leases.acquire(Key.of("deploy", target), options, Duration.ofMinutes(10));
        if (result instanceof AcquireResult.HeldByAnother held) {
            System.err.println(target + " is being deployed by " + held.holder());
            return HELD;
        }
        try (Lease lease = result.orThrow()) {
            // The target of the deployment should reject a smaller fence than it has seen: see deploy.sh.
            command.environment().put("HOLDFAST_FENCE", lease.fence().toString());
            Process process = command.start();
            lease.onLost(reason -> process.destroy());
            int code = process.waitFor();
            return lease.isHeld() ? code : LOST;
        }
    }
}
