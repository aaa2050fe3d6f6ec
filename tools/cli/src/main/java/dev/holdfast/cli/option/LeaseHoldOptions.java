package dev.holdfast.cli.option;

import dev.holdfast.AcquireOptions;
import dev.holdfast.cli.CommandFailure;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** How to hold a lease: for how long, in whose name, with what attributes. */
public final class LeaseHoldOptions {
    private final CliOption<Duration> term;
    private final CliOption<Duration> alias;
    private final CliOption<String> owner;
    private final AttributeOption attributes;
    private final Duration defaultTerm;

    public LeaseHoldOptions(CommandSpec to, Duration defaultTerm, String termText) {
        this.defaultTerm = defaultTerm;
        this.term = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TERM",
                termText + " Such as 15m, 3 minutes, 1h30m, PT15M, or seconds; at most 7 days. Also: --ttl,"
                        + " --lease-duration, --expiration.",
                "--term");
        this.alias =
                CliOption.alias(to, Duration.class, DurationParser::parse, "--ttl", "--lease-duration", "--expiration");
        this.owner = CliOption.text(to, "TEXT", "Who holds it, for those who ask; user@host unless said.", "--owner");
        this.attributes = new AttributeOption(to, "Put an attribute on the key. May be repeated.");
    }

    /** @param self who holds it unless said */
    public AcquireOptions toOptions(String self) {
        if (term.isGiven() && alias.isGiven()) {
            throw CommandFailure.usage("--term, and another name of it (expected: one of them)");
        }
        return AcquireOptions.defaults()
                .term(term.or(alias.or(defaultTerm)))
                .holder(owner.or(self))
                .attributes(attributes.toAttributes());
    }
}
