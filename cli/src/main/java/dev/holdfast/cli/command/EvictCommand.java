package dev.holdfast.cli.command;

import dev.holdfast.EditResult;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import java.io.IOException;

/** Takes a lease away from a live holder. */
public final class EvictCommand extends Command {
    private static final String RISK =
            "Its holder goes on until its next renewal, and whoever is granted the key next may work at the same time";

    private final Option<String> name = Names.name(spec());
    private final Option<Boolean> force = Option.flag(spec(), "Yes, from a live holder. Required.", "--force");
    private final Option<String> reason = Option.text(spec(), "TEXT", "Why. Required.", "--reason");
    private final Consent consent = new Consent(spec());

    public EvictCommand() {
        super("evict", "NAME --force --reason TEXT", "Take a lease away from a live holder.");
        describe(
                RISK + ".",
                "Only a resource that checks fences is protected. A holder that is dead needs no eviction: its lease ends"
                        + " with its term.");
        examples("holdfast evict deploy --force --reason 'host is gone, ticket 4711' --yes");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) throws IOException {
        String why = reason.or("");
        if (!force.or(false) || why.isBlank()) {
            throw CommandFailure.usage("an eviction needs --force and --reason TEXT; " + RISK);
        }
        Key key = context.key(name.or(""));
        try (Leases leases = context.open()) {
            // Before it asks: there is nothing to ask if nothing can be evicted.
            if (consent.isAsked(context)
                    && leases.get(key).filter(LeaseStatus::isHeld).isEmpty()) {
                return nothingToEvict(context, key);
            }
            if (!consent.isGiven(context, RISK + ". Evict " + Answers.shown(key) + "?")) {
                return ExitCode.ERROR;
            }
            if (!(leases.evict(key, why) instanceof EditResult.Changed)) {
                return nothingToEvict(context, key);
            }
            context.console()
                    .note(Answers.shown(key) + " was evicted; "
                            + RISK.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + RISK.substring(1));
        }
        return ExitCode.OK;
    }

    private static int nothingToEvict(Context context, Key key) {
        context.console().note(Answers.shown(key) + " is not held; nothing to evict");
        return ExitCode.OK;
    }
}
