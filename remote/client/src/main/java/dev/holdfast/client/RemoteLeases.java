package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.HttpLinks;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.internal.client.AsyncLeaseClient;
import dev.holdfast.internal.client.BlockingLeaseClient;
import dev.holdfast.store.HostEnvironment;

/**
 * {@link dev.holdfast.Leases} that servers decide. They may come and go: a request goes to the next server when one does
 * not answer, and what is held is held for as long as some server is reached within its term.
 */
final class RemoteLeases extends BlockingLeaseClient {
    private final RemoteContext remoteContext;
    private final RemoteRequests requests;

    private RemoteLeases(RemoteRequests requests, AsyncLeaseClient async, LeasesOptions options) {
        super(requests.environment(), options.runtime().isEmpty(), async);
        this.remoteContext = requests.remote();
        this.requests = requests;
    }

    static RemoteLeases open(ServerUrl url, LeasesOptions options) {
        HostEnvironment hostEnvironment = runtime(options);
        int first = (int) (hostEnvironment.random() * url.servers().size());
        // Who asks once and ends should not wait for event loops to start and to stop.
        ServerLinks serverLinks = options.isBackground()
                ? GrpcLinks.open(url.servers(), url.security(), first)
                : HttpLinks.open(url.servers(), url.security(), first);
        RemoteContext remoteContext = new RemoteContext(serverLinks, hostEnvironment, options);
        DoneKeyCache doneKeyCache = url.doneCache() == null ? null : new DoneKeyCache(hostEnvironment, url.doneCache());
        RemoteRequests requests = new RemoteRequests(remoteContext, doneKeyCache);
        RemoteStatusLookup lookup = new RemoteStatusLookup(remoteContext);
        AsyncLeaseClient async = new AsyncLeaseClient(requests, lookup, options);
        if (doneKeyCache != null) {
            doneKeyCache.preload(lookup);
        }
        return new RemoteLeases(requests, async, options);
    }

    /** How many wait for a holder to give way. */
    int waiting() {
        return requests.waiting();
    }

    /** Whether all that a server can answer at once is answered. */
    boolean isQuiet() {
        return remoteContext.underWay() <= waiting();
    }

    @Override
    protected void end() {
        try {
            requests.close();
            remoteContext.close();
        } finally {
            remoteContext.links().close();
        }
    }
}
