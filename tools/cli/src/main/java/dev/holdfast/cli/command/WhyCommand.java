package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.output.ExplanationJson;
import dev.holdfast.cli.output.ExplanationText;
import dev.holdfast.explanation.LeaseExplanation;
import java.time.Instant;

/** {@code why}: explains why a key is held, and when it can be acquired. */
public final class WhyCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public WhyCommand() {
        super("why", "NAME", "Explain who holds a key, who waits for it, and when it can be acquired.");
        describe(
                "The first line is the answer. The facts follow it.",
                "The waiting clients and the last renewals are those that pass through the same process. Ask a server to"
                        + " see the clients of that server.");
        examples("holdfast why deploy", "holdfast why -n fleet/etl/units orders-7", "holdfast why deploy --json");
        onDynamo("GetItem");
    }

    @Override
    public int run(CommandContext context) {
        Key key = context.key(name);
        try (Leases leases = context.open()) {
            LeaseExplanation explanation = leases.explain(key);
            if (json.or(false)) {
                context.console().print(ExplanationJson.of(explanation));
            } else {
                new ExplanationText(explanation, Instant.now()).lines().forEach(context.console()::print);
            }
        }
        return ExitCode.OK;
    }
}
