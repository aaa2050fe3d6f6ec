package dev.holdfast.cli.awsflock;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.Waiting;
import dev.holdfast.cli.config.Owner;
import dev.holdfast.cli.option.DurationText;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import java.time.Duration;

/** {@code awsflock acquire}: prints the id of the lease. */
final class AcquireLock extends Command {
    private static final Duration LEASE = Duration.ofHours(2);
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final Option<String> lock = Locks.lock(spec());
    private final LockTable table = new LockTable(spec());
    private final Option<Boolean> noWait = Option.flag(spec(), "Do not wait while another holds it.", "--no-wait");
    private final Option<Duration> wait = Option.of(
            spec(),
            Duration.class,
            DurationText::parse,
            "SECONDS",
            "How long to wait; 60 unless said, 0 for ever.",
            "--wait-time");
    private final Option<Duration> duration = Option.of(
            spec(),
            Duration.class,
            DurationText::parse,
            "TIME",
            "How long the lease lasts: 15m, 3 minutes, 100hrs, 1 day, or seconds; 2 hours unless said.",
            "--lease-duration",
            "--expiration");
    private final Option<String> owner =
            Option.text(spec(), "NAME", "Who holds it; the name of this host unless said.", "--owner");

    AcquireLock() {
        super("acquire", "LOCK_ID", "Take a lock, and print its lease id.");
        describe("Exit code 3 if another holds it. The lease begins when it is granted, however long that took.");
        spec().usageMessage().customSynopsis("awsflock acquire [OPTIONS] LOCK_ID");
        examples("lease=$(awsflock acquire nightly --lease-duration 15m) || exit");
        onDynamo("GetItem", "UpdateItem");
    }

    @Override
    public int run(Context context) throws InterruptedException {
        Key key = Key.of(lock.or(""));
        String holder = owner.or(Owner.host(context.console().environment()));
        AcquireOptions options = AcquireOptions.defaults()
                .term(duration.or(LEASE))
                .holder(holder)
                .autoRenew(false);
        boolean waits = !noWait.or(false);
        try (Leases leases = table.open(context, waits)) {
            AcquireResult result = waits
                    ? Waiting.acquire(context, leases, key, options, patience())
                    : leases.tryAcquire(key, options);
            return answer(context, result);
        }
    }

    private Duration patience() {
        Duration said = wait.or(WAIT);
        return said.isZero() ? FOR_EVER : said;
    }

    private static int answer(Context context, AcquireResult result) {
        if (!(result instanceof AcquireResult.Granted granted)) {
            Locks.tell(context, Answers.refused(result));
            return ExitCode.HELD;
        }
        Lease lease = granted.held();
        context.console().out().println(lease.token().secret());
        if (context.console().out().checkError()) {
            // Nobody read the id: a lock that nobody can release would stay for hours.
            lease.release();
            throw new CommandFailure(ExitCode.ERROR, "the lease id could not be written to stdout; it is released");
        }
        lease.detach();
        return ExitCode.OK;
    }
}
