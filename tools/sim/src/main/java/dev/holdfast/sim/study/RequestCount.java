package dev.holdfast.sim.study;

/** A count of store requests. A page of a listing is one request, and so is a batch of any number of keys. */
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
     * The numbers of requests so far.
     *
     * @param pages the pages of listings
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
