package dev.holdfast;

/** Thrown when the queue of the client is full. Nothing was sent; try again later. */
public final class OverloadedException extends StoreException {
    public OverloadedException(int limit) {
        super(
                null,
                Effect.NOT_APPLIED,
                true,
                "overloaded: " + limit + " requests are waiting for the store already; nothing was sent",
                null);
    }
}
