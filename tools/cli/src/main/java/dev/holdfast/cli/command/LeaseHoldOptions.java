package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** Options of a lease to acquire: term, owner and attributes. */
public final class LeaseHoldOptions {
    private final CommandOption<Duration> term;
    private final CommandOption<Duration> alias;
    private final CommandOption<String> owner;
    private final AttributeOption attributes;
    private final Duration defaultTerm;

    public LeaseHoldOptions(CommandSpec to, Duration defaultTerm, String termText) {
        this.defaultTerm = defaultTerm;
        this.term = CommandOption.duration(
                to,
                "TERM",
                termText + " Examples: 15m, 3 minutes, 1h30m, PT15M, or seconds; at most 7 days. Aliases: --ttl,"
                        + " --lease-duration, --expiration.",
                "--term");
        this.alias = CommandOption.durationAlias(to, "--ttl", "--lease-duration", "--expiration");
        this.owner =
                CommandOption.text(to, "TEXT", "Name of the holder, shown to others. Default: user@host.", "--owner");
        this.attributes = new AttributeOption(to, "Set an attribute of the key. May be repeated.");
    }

    /** @param self the default owner */
    public AcquireOptions toOptions(String self) {
        if (term.isGiven() && alias.isGiven()) {
            throw CommandFailure.usage("--term and one of its aliases (expected: one of them)");
        }
        return AcquireOptions.defaults()
                .term(term.or(alias.or(defaultTerm)))
                .holder(owner.or(self))
                .attributes(attributes.toAttributes());
    }
}
