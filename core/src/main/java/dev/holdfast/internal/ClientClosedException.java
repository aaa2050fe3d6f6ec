package dev.holdfast.internal;

/** The failure of a request that came after its client was closed. It was never sent, so it has no effect. */
public final class ClientClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public ClientClosedException() {
        super("the client is closed");
    }
}
