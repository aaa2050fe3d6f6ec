package dev.holdfast.sim.study;

/** Counts what a store is asked. A page of a listing is a request; so is a batch, of any number of keys. */
final class RequestCount {
    private long writes;
    private long reads;
    private long pages;

    void write() {
        writes++;
    }

    void read() {
        reads++;
    }

    void page() {
        pages++;
    }

    void writes(long count) {
        writes += count;
    }

    void pages(long count) {
        pages += count;
    }

    /**
     * How many there have been.
     *
     * @param pages of listings
     */
    record Count(long writes, long reads, long pages) {
        long all() {
            return writes + reads + pages;
        }

        Count since(Count before) {
            return new Count(writes - before.writes, reads - before.reads, pages - before.pages);
        }
    }

    Count count() {
        return new Count(writes, reads, pages);
    }
}
