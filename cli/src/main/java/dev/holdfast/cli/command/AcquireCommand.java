package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.HoldOptions;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.option.WaitOptions;
import dev.holdfast.cli.output.AcquireJson;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import java.time.Duration;

/** Takes a lease that outlives this process, and prints its token. */
public final class AcquireCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final WaitOptions wait = new WaitOptions(spec());
    private final HoldOptions hold = new HoldOptions(
            spec(), Duration.ofHours(2), "How long it lasts unless renewed; 2 hours unless said, as nobody renews it.");
    private final Option<Boolean> json = Names.json(spec());

    public AcquireCommand() {
        super("acquire", "NAME", "Take a lease, and print its token.");
        describe("The token is what renew, release and done need. Exit code 3 if another holds it, 4 if it is done.");
        examples(
                "token=$(holdfast acquire nightly --no-wait) || exit",
                "holdfast acquire deploy --wait 10m --term 1h --attr ticket=4711");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) throws InterruptedException {
        Key key = context.key(name.or(""));
        AcquireOptions options = hold.toOptions(context.settings().owner()).autoRenew(false);
        Duration patience = wait.toWait();
        try (Leases leases = patience.isZero() ? context.open() : context.openToHold()) {
            AcquireResult result = patience.isZero()
                    ? leases.tryAcquire(key, options)
                    : Waiting.acquire(context, leases, key, options, patience);
            return answer(context, result);
        }
    }

    private int answer(Context context, AcquireResult result) {
        boolean asJson = json.or(false);
        if (!(result instanceof AcquireResult.Granted granted)) {
            if (asJson) {
                context.console().out().println(AcquireJson.of(result));
            }
            context.console().note(Answers.refused(result));
            return result instanceof AcquireResult.Done ? ExitCode.DONE : ExitCode.HELD;
        }
        Lease lease = granted.held();
        context.console()
                .out()
                .println(asJson ? AcquireJson.of(result) : lease.token().secret());
        if (context.console().out().checkError()) {
            // Nobody read the token: a lease that nobody can release would stay for hours.
            lease.release();
            throw new CommandFailure(ExitCode.ERROR, "the token could not be written to stdout; the lease is released");
        }
        lease.detach();
        return ExitCode.OK;
    }
}
