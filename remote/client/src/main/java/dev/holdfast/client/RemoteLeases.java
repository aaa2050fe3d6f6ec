package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.HttpLinks;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.internal.client.AsyncLeaseClient;
import dev.holdfast.internal.client.BlockingLeaseClient;
import dev.holdfast.store.HostEnvironment;

/**
 * {@link dev.holdfast.Leases} that send their requests to servers. Servers may come and go. A request goes to the
 * next server if one does not respond. A lease stays held as long as some server is reached within its term.
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
        // A process that makes one request and exits should not wait for event loops to start and stop.
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

    /** Returns the number of requests that wait for a holder. */
    int waiting() {
        return requests.waiting();
    }

    /** Returns whether every request that does not wait for a holder has been served. */
    boolean isQuiet() {
        return remoteContext.inProgress() <= waiting();
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
