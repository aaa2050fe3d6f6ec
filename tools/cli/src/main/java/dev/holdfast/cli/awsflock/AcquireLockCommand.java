package dev.holdfast.cli.awsflock;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.WaitForLease;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.DurationParser;
import dev.holdfast.cli.output.DurationSpan;
import java.time.Duration;

/** {@code awsflock acquire}: prints the id of the lease. */
final class AcquireLockCommand extends LockCommand {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final CliOption<String> lock = LockTexts.lock(spec());
    private final CliOption<Boolean> noWait = CliOption.flag(spec(), "Do not wait if the lock is held.", "--no-wait");
    private final CliOption<Duration> wait = CliOption.of(
            spec(),
            Duration.class,
            DurationParser::parse,
            "SECONDS",
            "How long to wait for the lock. Default: 60; 0 waits forever.",
            "--wait-time");
    private final LockLeaseOptions lease = new LockLeaseOptions(spec());

    AcquireLockCommand() {
        super("acquire", "LOCK_ID", "Acquire a lock and print its lease id.");
        describe("Exit code 3 if the lock is held. The lease starts when it is granted, however long that took.");
        examples("lease=$(awsflock acquire nightly --lease-duration 15m) || exit");
        onDynamo("GetItem", "UpdateItem");
    }

    @Override
    int runLock(CommandContext commandContext) throws InterruptedException {
        Key key = Key.of(lock.or(""));
        AcquireOptions options = AcquireOptions.defaults()
                .term(lease.duration())
                .holder(lease.owner(commandContext))
                .autoRenew(false);
        boolean waits = !noWait.or(false);
        try (Leases leases = table.open(commandContext, waits)) {
            AcquireResult result = waits
                    ? WaitForLease.acquire(commandContext, leases, key, options, patience())
                    : leases.tryAcquire(key, options);
            return report(commandContext, result);
        }
    }

    private Duration patience() {
        Duration given = wait.or(WAIT);
        return given.isZero() ? FOR_EVER : given;
    }

    private static int report(CommandContext commandContext, AcquireResult result) {
        if (!(result instanceof AcquireResult.Granted granted)) {
            verbose(commandContext, refused(result));
            return ExitCode.HELD;
        }
        Lease acquired = granted.lease();
        commandContext.console().out().println(acquired.token().secret());
        if (commandContext.console().out().checkError()) {
            // The caller has no id and cannot release the lock, which would stay held for hours.
            acquired.release();
            throw new CommandFailure(
                    ExitCode.ERROR, "the lease id could not be written to stdout; the lock was released");
        }
        acquired.detach();
        return ExitCode.OK;
    }

    private static String refused(AcquireResult result) {
        return result instanceof AcquireResult.HeldByAnother held
                ? held.key() + " is held by " + held.holder() + "; expires in " + DurationSpan.of(held.remaining())
                        + " unless renewed; to wait longer: --wait-time SECONDS"
                : result.toString();
    }
}
