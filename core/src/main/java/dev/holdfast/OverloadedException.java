package dev.holdfast;

/** More requests are waiting for the store than the client was told to queue. Nothing was sent; try again later. */
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
