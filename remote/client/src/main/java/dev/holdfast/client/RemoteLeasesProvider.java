package dev.holdfast.client;

import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.service.LeasesProvider;
import java.util.Set;

/**
 * The provider of the schemes {@code http://host:port} and {@code https://host:port}, with several hosts separated by
 * commas.
 */
public final class RemoteLeasesProvider implements LeasesProvider {
    @Override
    public Set<String> schemes() {
        return ServerUrl.SCHEMES;
    }

    @Override
    public Leases open(String url, LeasesOptions options) {
        return RemoteLeases.open(ServerUrl.parse(url), options);
    }
}
