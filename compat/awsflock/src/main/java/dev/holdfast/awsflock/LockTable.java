package dev.holdfast.awsflock;

import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.config.ProcessOwner;
import dev.holdfast.cli.config.StoreOpener;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** awsflock's table, selected by its option and environment variables. */
final class LockTable {
    private static final String DEFAULT_NAME = "awsflock";

    private final CommandOption<String> name;

    LockTable(CommandSpec to) {
        this.name = CommandOption.text(
                to, "TABLE", "Name of the table. Default: AWSFLOCK_TABLE, or awsflock.", "--tablename");
    }

    /** The URL of the store. */
    String url(CommandContext context) {
        Map<String, String> environment = context.console().environment();
        // awsflock's SDK reads only AWS_DEFAULT_REGION. Without it, our SDK finds AWS_REGION and other sources by
        // itself.
        return "dynamodb://" + name(context) + "?layout=awsflock"
                + parameter("region", environment.getOrDefault("AWS_DEFAULT_REGION", ""))
                + parameter("endpoint", environment.getOrDefault("DYNAMO_ENDPOINT_URL", ""));
    }

    private static String parameter(String parameter, String value) {
        return value.isEmpty() ? "" : "&" + parameter + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** The name of the table. */
    String name(CommandContext context) {
        String fromEnvironment = context.console().environment().getOrDefault("AWSFLOCK_TABLE", "");
        return name.or(fromEnvironment.isEmpty() ? DEFAULT_NAME : fromEnvironment);
    }

    /** @param background whether the command may wait, which needs background threads */
    Leases open(CommandContext context, boolean background) {
        return StoreOpener.open(
                url(context), ProcessOwner.host(context.console().environment()), background, LeaseListener.NONE);
    }
}
