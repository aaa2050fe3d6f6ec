package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.serve.TokenMaker;
import java.util.ArrayList;
import java.util.List;

/** Makes a secret, and the line that lets it in. */
final class TokenNewCommand extends CliCommand {
    private final CliOption<String> name =
            CliOption.positional(spec(), 0, "NAME", "Who it is for: a word for logs and refusals.");
    private final CliOption<List<String>> read = namespaces("get, list and watch", "--read");
    private final CliOption<List<String>> lease = namespaces("acquire, renew, release and finish, and read", "--lease");
    private final CliOption<List<String>> admin = namespaces("evict, reopen and delete, and all else", "--admin");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    TokenNewCommand() {
        super("new", "NAME", "Make a secret for a client, and the line for the server's --tokens FILE.");
        describe("The secret is shown this once; the line holds only its hash. A client finds the secret in"
                + " HOLDFAST_AUTH_TOKEN, or in the file of token-file= in its URL.");
        examples("holdfast token new worker --lease 'jobs/*' --read '*'");
    }

    private CliOption<List<String>> namespaces(String what, String option) {
        return CliOption.texts(
                spec(),
                "NAMESPACES",
                "Where it may " + what + ": jobs, jobs/* or *, separated by commas; \"\" is the empty one.",
                option);
    }

    @Override
    public int run(CommandContext commandContext) {
        List<String> permissions = new ArrayList<>();
        read.or(List.of()).forEach(each -> permissions.add("read=" + each));
        lease.or(List.of()).forEach(each -> permissions.add("lease=" + each));
        admin.or(List.of()).forEach(each -> permissions.add("admin=" + each));
        // In a class of its own, as only here and for the server are its libraries on the class path.
        commandContext
                .console()
                .out()
                .println(TokenMaker.create(String.valueOf(name.get()), permissions, json.or(false)));
        return ExitCode.OK;
    }
}
