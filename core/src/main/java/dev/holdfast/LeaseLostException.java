package dev.holdfast;

/** Thrown by methods that need the lease when it is no longer held. */
public final class LeaseLostException extends HoldfastException {
    private final LostReason reason;

    public LeaseLostException(Key key, LostReason reason) {
        super(key, "the lease is lost (" + reason + ")", null);
        this.reason = reason;
    }

    public LostReason reason() {
        return reason;
    }
}
