package dev.holdfast.support;

/** The failure of a request that was made after its client was closed. It was never sent, so it has no effect. */
public final class ClientClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public ClientClosedException() {
        super("the client is closed");
    }

    /** The failure of a request that was under way when its client was closed; an attempt of it may have been applied. */
    public static IllegalStateException underWay() {
        return new IllegalStateException("the client is closed");
    }
}
