package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.serve.TokenMaker;
import java.util.ArrayList;
import java.util.List;

/** {@code token new}: creates a secret for a client, and its line for the tokens file of the server. */
final class TokenNewCommand extends CliCommand {
    private final CliOption<String> name =
            CliOption.positional(spec(), 0, "NAME", "Name of the client, for logs and error messages.");
    private final CliOption<List<String>> read = namespaces("get, list and watch", "--read");
    private final CliOption<List<String>> lease =
            namespaces("acquire, renew, release, mark as done, and read", "--lease");
    private final CliOption<List<String>> admin =
            namespaces("evict, reopen and delete, and everything else", "--admin");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    TokenNewCommand() {
        super("new", "NAME", "Create a secret for a client, and its line for the server's --tokens FILE.");
        describe("The secret is shown only once; the line contains only its hash. A client reads the secret from"
                + " HOLDFAST_AUTH_TOKEN, or from the file named by token-file= in its URL.");
        examples("holdfast token new worker --lease 'jobs/*' --read '*'");
    }

    private CliOption<List<String>> namespaces(String actions, String option) {
        return CliOption.texts(
                spec(),
                "NAMESPACES",
                "Namespaces where it may " + actions
                        + ": jobs, jobs/* or *, separated by commas; \"\" is the empty one.",
                option);
    }

    @Override
    public int run(CommandContext commandContext) {
        List<String> permissions = new ArrayList<>();
        read.or(List.of()).forEach(each -> permissions.add("read=" + each));
        lease.or(List.of()).forEach(each -> permissions.add("lease=" + each));
        admin.or(List.of()).forEach(each -> permissions.add("admin=" + each));
        // A separate class: the server's libraries are on the class path only for this command and for serve.
        commandContext
                .console()
                .out()
                .println(TokenMaker.create(String.valueOf(name.get()), permissions, json.or(false)));
        return ExitCode.OK;
    }
}
