package dev.holdfast.client.link;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The links to several servers. One of them is used until it fails. Thread-safe. */
public final class ServerLinks implements AutoCloseable {
    private final List<ServerLink> links;
    private final AtomicInteger current;
    private final Runnable whenClosed;

    /**
     * @param first the index of the link to start with
     * @param whenClosed releases the resources that all links share
     */
    public ServerLinks(List<? extends ServerLink> links, int first, Runnable whenClosed) {
        this.links = List.copyOf(links);
        this.current = new AtomicInteger(first);
        this.whenClosed = whenClosed;
    }

    public int size() {
        return links.size();
    }

    public ServerLink current() {
        return links.get(current.get());
    }

    /** Switches to the next link, unless another thread has already done so. */
    public void leave(ServerLink failed) {
        int at = current.get();
        if (links.get(at) == failed) {
            current.compareAndSet(at, (at + 1) % links.size());
        }
    }

    @Override
    public void close() {
        links.forEach(ServerLink::close);
        whenClosed.run();
    }
}
