package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.HttpLinks;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.embedded.ServiceLeases;
import dev.holdfast.store.HostEnvironment;

/**
 * {@link dev.holdfast.Leases} that send their requests to servers. Servers may come and go. A request goes to the
 * next server if one does not respond. A lease stays held as long as some server is reached within its term.
 */
final class RemoteLeases extends ServiceLeases {
    private final RemoteContext remoteContext;
    private final RemoteRequests requests;

    private RemoteLeases(RemoteRequests requests, LeasesOptions options) {
        super(requests, options);
        this.remoteContext = requests.remote();
        this.requests = requests;
    }

    static RemoteLeases open(ServerUrl url, LeasesOptions options) {
        HostEnvironment hostEnvironment = environment(options);
        int first = (int) (hostEnvironment.random() * url.servers().size());
        // A process that makes one request and exits should not wait for event loops to start and stop.
        ServerLinks serverLinks = options.isBackground()
                ? GrpcLinks.open(url.servers(), url.security(), first)
                : HttpLinks.open(url.servers(), url.security(), first);
        RemoteContext remoteContext = new RemoteContext(serverLinks, hostEnvironment, options);
        DoneKeyCache doneKeyCache = url.doneCache() == null ? null : new DoneKeyCache(hostEnvironment, url.doneCache());
        return new RemoteLeases(new RemoteRequests(remoteContext, doneKeyCache), options);
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
