package dev.holdfast.cli.serve;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import java.util.ArrayList;
import java.util.List;

/** {@code token new}: creates a secret for a client, and its line for the tokens file of the server. */
final class TokenNewCommand extends CliCommand {
    private final CommandOption<String> name =
            CommandOption.positional(spec(), 0, "NAME", "Name of the client, for logs and error messages.");
    private final CommandOption<List<String>> read = namespaces("get, list and watch", "--read");
    private final CommandOption<List<String>> lease =
            namespaces("acquire, renew, release, mark as done, and read", "--lease");
    private final CommandOption<List<String>> admin =
            namespaces("evict, reopen and delete, and everything else", "--admin");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    TokenNewCommand() {
        super("token new", "NAME", "Create a secret for a client, and its line for the server's --tokens FILE.");
        describe("The secret is shown only once; the line contains only its hash. A client reads the secret from"
                + " HOLDFAST_AUTH_TOKEN, or from the file named by token-file= in its URL.");
        examples("holdfast token new worker --lease 'jobs/*' --read '*'");
    }

    private CommandOption<List<String>> namespaces(String actions, String option) {
        return CommandOption.texts(
                spec(),
                "NAMESPACES",
                "Namespaces where it may " + actions
                        + ": jobs, jobs/* or *, separated by commas; \"\" is the empty one.",
                option);
    }

    @Override
    public int run(CommandContext context) {
        List<String> permissions = new ArrayList<>();
        read.or(List.of()).forEach(each -> permissions.add("read=" + each));
        lease.or(List.of()).forEach(each -> permissions.add("lease=" + each));
        admin.or(List.of()).forEach(each -> permissions.add("admin=" + each));
        // A separate class: the server's libraries are on the class path only for this command and for serve.
        context.console().print(AccessTokenMaker.create(String.valueOf(name.get()), permissions, json.or(false)));
        return ExitCode.OK;
    }
}
