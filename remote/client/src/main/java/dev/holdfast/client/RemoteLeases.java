package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.HttpServerLink;
import dev.holdfast.client.link.RemoteContext;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.service.ServiceLeases;
import dev.holdfast.store.HostEnvironment;

/**
 * {@link dev.holdfast.Leases} that send their requests to servers. Servers may come and go. A request goes to the
 * next server if one does not respond. A lease stays held as long as some server is reached within its term.
 */
final class RemoteLeases extends ServiceLeases {
    private final RemoteContext remoteContext;
    private final RemoteLeaseService service;

    private RemoteLeases(RemoteContext remoteContext, RemoteLeaseService service, LeasesOptions options) {
        super(service, options);
        this.remoteContext = remoteContext;
        this.service = service;
    }

    static RemoteLeases open(ServerUrl url, LeasesOptions options) {
        HostEnvironment hostEnvironment = environment(options);
        int first = (int) (hostEnvironment.random() * url.servers().size());
        // A process that makes one request and exits should not wait for event loops to start and stop.
        ServerLinks serverLinks = options.isBackground()
                ? GrpcLinks.open(url.servers(), url.security(), first)
                : HttpServerLink.open(url.servers(), url.security(), first);
        RemoteContext remoteContext = new RemoteContext(serverLinks, hostEnvironment, options);
        DoneKeyCache doneKeyCache = new DoneKeyCache(remoteContext::nanos, url.doneCache());
        return new RemoteLeases(remoteContext, new RemoteLeaseService(remoteContext, doneKeyCache), options);
    }

    /** Returns the number of requests that wait for a holder. */
    int waiting() {
        return service.waiting();
    }

    /** Returns whether every request that does not wait for a holder has been served. */
    boolean isQuiet() {
        return remoteContext.inProgress() <= waiting();
    }

    @Override
    protected void end() {
        service.close();
    }
}
