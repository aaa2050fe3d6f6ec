package dev.holdfast.cli.serve;

import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.ServeOptions;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.operations.PerimeterOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was said of who is let in, in the words of the server. */
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
        ServerLimits usual = ServerLimits.DEFAULT;
        return ServerLimits.builder()
                .connections(flags.connections.or(usual.connections()))
                .requests(flags.requests.or(usual.requests()))
                .waiters(
                        flags.waitersPerClient.or(usual.waitersPerClient()),
                        flags.waitersPerKey.or(usual.waitersPerKey()))
                .watches(flags.watchesPerClient.or(usual.watchesPerClient()))
                .sessions(flags.sessionsPerClient.or(usual.sessionsPerClient()))
                .patience(flags.patience.or(usual.patience()))
                .build();
    }

    private static @Nullable Path path(CliOption<String> file) {
        String said = file.get();
        return said == null ? null : Path.of(said);
    }
}
