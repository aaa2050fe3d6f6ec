package dev.holdfast.cli.command;

import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.output.RefusalTexts;
import java.io.IOException;

/** {@code evict}: takes a lease away from a live holder. */
public final class EvictCommand extends CliCommand {
    private static final String RISK =
            "The evicted holder keeps working until its next renewal, and the next holder may work at the same time";

    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<Boolean> force =
            CommandOption.flag(spec(), "Confirm that a live holder loses its lease. Required.", "--force");
    private final CommandOption<String> reason =
            CommandOption.text(spec(), "TEXT", "The reason for the eviction. Required.", "--reason");
    private final UserConsent userConsent = new UserConsent(spec());

    public EvictCommand() {
        super("evict", "NAME --force --reason TEXT", "Take a lease away from a live holder.");
        describe(
                RISK + ".",
                "Only a resource that checks fences is protected. A dead holder needs no eviction: its lease expires with"
                        + " its term.");
        examples("holdfast evict deploy --force --reason 'host is gone, ticket 4711' --yes");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String why = reason.or("");
        if (!force.or(false) || why.isBlank()) {
            throw CommandFailure.usage("an eviction needs --force and --reason TEXT; " + RISK);
        }
        Key key = context.key(name);
        try (Leases leases = context.open()) {
            // Checked before the question is asked: without a holder there is nothing to confirm.
            if (userConsent.isAsked(context)
                    && leases.get(key).filter(LeaseStatus::isHeld).isEmpty()) {
                return nothingToEvict(context, key);
            }
            if (!userConsent.isGiven(context, RISK + ". Evict " + RefusalTexts.shown(key) + "?")) {
                return ExitCode.ERROR;
            }
            if (!(leases.evict(key, why) instanceof EditResult.Changed)) {
                return nothingToEvict(context, key);
            }
            context.console()
                    .note(RefusalTexts.shown(key) + " was evicted; "
                            + RISK.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + RISK.substring(1));
        }
        return ExitCode.OK;
    }

    private static int nothingToEvict(CommandContext context, Key key) {
        context.console().note(RefusalTexts.shown(key) + " is not held; nothing to evict");
        return ExitCode.OK;
    }
}
