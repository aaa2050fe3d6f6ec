package dev.holdfast.cli.serve;

import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.operations.PerimeterOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conversion of the options of {@code serve} for authentication, TLS and limits to the server's own. */
final class PerimeterSettings {
    private PerimeterSettings() {}

    static PerimeterOptions of(ServeOptions flags) {
        return PerimeterOptions.builder()
                .tokens(path(flags.tokens))
                .tls(path(flags.certificate), path(flags.key))
                .clientAuthorities(path(flags.clientAuthorities))
                .insecure(flags.insecure.or(false))
                .allowedHosts(flags.allowedHosts.or(List.of()))
                .limits(limits(flags))
                .build();
    }

    private static ServerLimits limits(ServeOptions flags) {
        ServerLimits defaults = ServerLimits.DEFAULT;
        return ServerLimits.builder()
                .connections(flags.connections.or(defaults.connections()))
                .requests(flags.requests.or(defaults.requests()))
                .waiters(
                        flags.waitersPerClient.or(defaults.waitersPerClient()),
                        flags.waitersPerKey.or(defaults.waitersPerKey()))
                .watches(flags.watchesPerClient.or(defaults.watchesPerClient()))
                .sessions(flags.sessionsPerClient.or(defaults.sessionsPerClient()))
                .patience(flags.patience.or(defaults.patience()))
                .build();
    }

    private static @Nullable Path path(CommandOption<String> file) {
        String given = file.get();
        return given == null ? null : Path.of(given);
    }
}
