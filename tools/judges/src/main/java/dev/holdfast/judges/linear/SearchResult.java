package dev.holdfast.judges.linear;

import java.util.List;

/** The result of a search for an order. */
sealed interface SearchResult {
    /** An order was found. */
    record Ordered(List<LeaseOp> order) implements SearchResult {}

    /**
     * No order exists.
     *
     * @param longest the longest beginning that was possible
     */
    record Impossible(List<LeaseOp> longest) implements SearchResult {}

    /** The search reached its bound. */
    record Undecided() implements SearchResult {}
}
