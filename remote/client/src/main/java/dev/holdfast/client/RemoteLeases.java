package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.GrpcLinks;
import dev.holdfast.client.link.HttpServerLink;
import dev.holdfast.client.link.RemoteContext;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.embedded.ServiceLeases;
import dev.holdfast.store.HostEnvironment;

/**
 * {@link dev.holdfast.Leases} that send their requests to servers. Servers may come and go. A request goes to the
 * next server if one does not respond. A lease stays held as long as some server is reached within its term.
 */
final class RemoteLeases extends ServiceLeases {
    private final RemoteContext context;
    private final RemoteLeaseService service;

    private RemoteLeases(RemoteContext context, RemoteLeaseService service, LeasesOptions options) {
        super(service, options);
        this.context = context;
        this.service = service;
    }

    static RemoteLeases open(ServerUrl url, LeasesOptions options) {
        HostEnvironment environment = environment(options);
        int first = (int) (environment.random() * url.servers().size());
        // A process that makes one request and exits should not wait for event loops to start and stop.
        ServerLinks links = options.isBackground()
                ? GrpcLinks.open(url.servers(), url.security(), first)
                : HttpServerLink.open(url.servers(), url.security(), first);
        RemoteContext context = new RemoteContext(links, environment, options);
        DoneKeyCache doneKeys = new DoneKeyCache(context::nanos, url.doneCache());
        return new RemoteLeases(context, new RemoteLeaseService(context, doneKeys), options);
    }

    /** Returns the number of requests that wait for a holder. */
    int waiting() {
        return service.waiting();
    }

    /** Returns whether every request that does not wait for a holder has been served. */
    boolean isQuiet() {
        return context.inProgress() <= waiting();
    }

    @Override
    protected void end() {
        service.close();
    }
}
