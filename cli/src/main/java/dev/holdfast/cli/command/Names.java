package dev.holdfast.cli.command;

import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Token;
import picocli.CommandLine.Model.CommandSpec;

/** Words that most commands share. */
final class Names {
    private Names() {}

    static Option<String> name(CommandSpec to) {
        return Option.positional(to, 0, "NAME", "The name of the key.");
    }

    static Option<String> fleet(CommandSpec to) {
        return Option.positional(to, 0, "NAME", "The name of the fleet.");
    }

    static Option<String> token(CommandSpec to) {
        return Option.positional(to, 1, "TOKEN", "What acquire printed.");
    }

    static Option<Boolean> json(CommandSpec to) {
        return Option.flag(to, "Print JSON.", "--json");
    }

    static Token token(Option<String> said) {
        return Token.parse(said.or(""));
    }
}
