package dev.holdfast.guard.http;

/** The reason why a {@link FenceGate} refused a request, and the status of the response. */
public enum GateRefusal {
    /** The request has no fence. */
    MISSING(428),
    /** The header is not one fence of a store in Holdfast's own layout. */
    MALFORMED(400),
    /** The fence is later than the clock allows: it is forged, or a clock is wrong. It was not remembered. */
    BEYOND_CLOCK(400),
    /** A newer fence was seen: the client has lost its lease. */
    STALE(412);

    private final int status;

    GateRefusal(int status) {
        this.status = status;
    }

    /** The status of the HTTP response. */
    public int status() {
        return status;
    }
}
