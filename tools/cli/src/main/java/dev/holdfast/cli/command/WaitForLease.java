package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.output.HolderLine;
import dev.holdfast.cli.output.RefusalTexts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Wait for a lease that is held: the options {@code --wait} and {@code --no-wait}, and the wait itself. On a terminal, a
 * progress line shows the current holder.
 */
public final class WaitForLease {
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final CommandOption<Duration> wait;
    private final CommandOption<Boolean> noWait;

    public WaitForLease(CommandSpec to) {
        this.wait = CommandOption.duration(
                to, "TIME", "How long to wait if the lease is held. Default: 60s; 0 waits forever.", "--wait");
        this.noWait = CommandOption.flag(to, "Do not wait.", "--no-wait");
    }

    /** The time to wait; zero means not to wait. */
    public Duration patience() {
        if (!noWait.or(false)) {
            return orForEver(wait);
        }
        if (wait.isGiven()) {
            throw CommandFailure.usage("--wait and --no-wait (expected: one of them)");
        }
        return Duration.ZERO;
    }

    /** The given time, where 0 means forever. Default: 60 s. */
    public static Duration orForEver(CommandOption<Duration> wait) {
        Duration given = wait.or(Duration.ofSeconds(60));
        return given.isZero() ? FOR_EVER : given;
    }

    /**
     * Acquires the lease and waits up to {@code patience} for it. If a signal ends the process meanwhile, the lease
     * does not stay acquired.
     *
     * @param leases opened with background threads, unless {@code patience} is zero
     */
    public static AcquireResult acquire(
            CommandContext context, Leases leases, Key key, AcquireOptions options, Duration patience)
            throws InterruptedException {
        if (patience.isZero()) {
            return leases.tryAcquire(key, options);
        }
        Thread waiter = Thread.currentThread();
        Thread atExit = new Thread(() -> releaseAtExit(waiter, leases), "holdfast-at-exit");
        Runtime.getRuntime().addShutdownHook(atExit);
        try (HolderLine line = new HolderLine(leases, key, context.console())) {
            line.begin();
            return leases.acquire(key, options, patience);
        } finally {
            removeHook(atExit);
        }
    }

    /**
     * The interrupted call releases a lease that was granted meanwhile. Closing waits until the store has the release.
     */
    private static void releaseAtExit(Thread waiter, Leases leases) {
        waiter.interrupt();
        leases.close();
    }

    private static void removeHook(Thread atExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook is already running.
        }
    }

    /**
     * Reports that a lease was not granted, and returns the exit code.
     *
     * @param held the exit code if another holder has the lease; null for the usual one
     */
    public static int refused(CommandContext context, AcquireResult result, @Nullable Integer held) {
        context.console().note(RefusalTexts.refused(result));
        if (result instanceof AcquireResult.Done) {
            return ExitCode.DONE;
        }
        return held == null ? ExitCode.HELD : held;
    }
}
