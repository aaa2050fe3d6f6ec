package dev.holdfast.bench.contender;

/** The requests that a store received so far, and the rows, keys or entries that it wrote. */
public record StoreCounts(long requests, long writes) {
    public static final StoreCounts NONE = new StoreCounts(0, 0);

    public StoreCounts plus(StoreCounts other) {
        return new StoreCounts(requests + other.requests, writes + other.writes);
    }

    public StoreCounts minus(StoreCounts other) {
        return new StoreCounts(requests - other.requests, writes - other.writes);
    }
}
