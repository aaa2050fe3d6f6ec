package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.HttpLinks;
import dev.holdfast.client.link.Links;
import dev.holdfast.internal.client.AsyncClient;
import dev.holdfast.internal.client.ClientLeases;
import dev.holdfast.spi.Runtime;

/**
 * {@link dev.holdfast.Leases} that servers decide. They may come and go: a request goes to the next server when one does
 * not answer, and what is held is held for as long as some server is reached within its term.
 */
final class RemoteLeases extends ClientLeases {
    private final Remote remote;
    private final RemoteRequests requests;

    private RemoteLeases(RemoteRequests requests, AsyncClient async, LeasesOptions options) {
        super(requests.runtime(), options.runtime().isEmpty(), async);
        this.remote = requests.remote();
        this.requests = requests;
    }

    static RemoteLeases open(ServerUrl url, LeasesOptions options) {
        Runtime runtime = runtime(options);
        int first = (int) (runtime.random() * url.servers().size());
        // Who asks once and ends should not wait for event loops to start and to stop.
        Links links = options.isBackground()
                ? GrpcLinks.open(url.servers(), url.security(), first)
                : HttpLinks.open(url.servers(), url.security(), first);
        Remote remote = new Remote(links, runtime, options);
        DoneCache doneCache = url.doneCache() == null ? null : new DoneCache(runtime, url.doneCache());
        RemoteRequests requests = new RemoteRequests(remote, doneCache);
        RemoteLookup lookup = new RemoteLookup(remote);
        AsyncClient async = new AsyncClient(requests, lookup, options);
        if (doneCache != null) {
            doneCache.preload(lookup);
        }
        return new RemoteLeases(requests, async, options);
    }

    /** How many wait for a holder to give way. */
    int waiting() {
        return requests.waiting();
    }

    /** Whether all that a server can answer at once is answered. */
    boolean isQuiet() {
        return remote.underWay() <= waiting();
    }

    @Override
    protected void end() {
        try {
            requests.close();
            remote.close();
        } finally {
            remote.links().close();
        }
    }
}
