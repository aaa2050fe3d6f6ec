package dev.holdfast.awsflock;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.command.WaitForLease;
import dev.holdfast.support.DurationText;
import java.time.Duration;

/** {@code awsflock acquire}: prints the id of the lease. */
final class AcquireLockCommand extends LockCommand {
    private final CommandOption<String> lock = LockTexts.lock(spec());
    private final CommandOption<Boolean> noWait =
            CommandOption.flag(spec(), "Do not wait if the lock is held.", "--no-wait");
    private final CommandOption<Duration> wait = CommandOption.duration(
            spec(), "SECONDS", "How long to wait for the lock. Default: 60; 0 waits forever.", "--wait-time");
    private final LockLeaseOptions lease = new LockLeaseOptions(spec());

    AcquireLockCommand() {
        super("acquire", "LOCK_ID", "Acquire a lock and print its lease id.");
        describe("Exit code 3 if the lock is held. The lease starts when it is granted, however long that took.");
        examples("lease=$(awsflock acquire nightly --lease-duration 15m) || exit");
        onDynamo("GetItem", "UpdateItem");
    }

    @Override
    int runLock(CommandContext context) throws InterruptedException {
        Key key = Key.of(lock.or(""));
        AcquireOptions options = AcquireOptions.defaults()
                .term(lease.duration())
                .holder(lease.owner(context))
                .autoRenew(false);
        Duration patience = noWait.or(false) ? Duration.ZERO : WaitForLease.orForEver(wait);
        try (Leases leases = table.open(context, !patience.isZero())) {
            return report(context, WaitForLease.acquire(context, leases, key, options, patience));
        }
    }

    private static int report(CommandContext context, AcquireResult result) {
        if (!(result instanceof AcquireResult.Granted granted)) {
            verbose(context, refused(result));
            return ExitCode.HELD;
        }
        Lease acquired = granted.lease();
        context.console().print(acquired.token().secret());
        if (context.console().out().checkError()) {
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
                ? held.key() + " is held by " + held.holder() + "; expires in " + DurationText.rounded(held.remaining())
                        + " unless renewed; to wait longer: --wait-time SECONDS"
                : result.toString();
    }
}
