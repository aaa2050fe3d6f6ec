package dev.holdfast.cli.awsflock;

import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.config.Owner;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.store.Stores;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** Which table, by awsflock's option and environment variables. */
final class LockTable {
    private static final String DEFAULT_NAME = "awsflock";

    private final Option<String> name;

    LockTable(CommandSpec to) {
        this.name = Option.text(to, "TABLE", "The table; AWSFLOCK_TABLE, or awsflock, unless said.", "--tablename");
    }

    /** The URL of the store. */
    String url(Context context) {
        Map<String, String> environment = context.console().environment();
        String fromEnvironment = environment.getOrDefault("AWSFLOCK_TABLE", "");
        String table = name.or(fromEnvironment.isEmpty() ? DEFAULT_NAME : fromEnvironment);
        String endpoint = environment.getOrDefault("DYNAMO_ENDPOINT_URL", "");
        return "dynamodb://" + table + "?layout=awsflock"
                + (endpoint.isEmpty() ? "" : "&endpoint=" + URLEncoder.encode(endpoint, StandardCharsets.UTF_8));
    }

    /** @param background whether to wait */
    Leases open(Context context, boolean background) {
        return Stores.open(url(context), Owner.host(context.console().environment()), background, LeaseListener.NONE);
    }
}
