package dev.holdfast.store;

import java.time.Duration;

/**
 * Every size limit of the library, with its reason.
 *
 * <p>A limit is the same for every store, and is checked when the value is built: a value that one store accepts, all
 * accept. Lengths of text are counted in bytes of UTF-8, because stores count bytes.
 */
public final class SizeLimits {
    /**
     * Longest namespace. Together with a longest name it fits one PostgreSQL btree index row (2,704 bytes), and a
     * DynamoDB partition key (2,048 bytes) or partition and sort key.
     */
    public static final int NAMESPACE_BYTES = 256;

    /** Longest name of a key: the most that DynamoDB takes as a sort key. */
    public static final int NAME_BYTES = 1024;

    /** Longest holder: room for a host name of 253 bytes; it is repeated in every entry, so no more than that. */
    public static final int HOLDER_BYTES = 256;

    /**
     * Longest reason of an eviction in a history: a sentence. A longer one is cut there; the log of the evicting client and
     * the audit log of a server have all of it.
     */
    public static final int REASON_BYTES = 120;

    /** Longest term: a crashed holder blocks its key for a whole term, and longer than a week is a mistake in units. */
    public static final Duration TERM_MAX = Duration.ofDays(7);

    /** Most attributes of one entry, counted at the top level: they describe a lease, and are not meant as a table. */
    public static final int ATTRIBUTE_COUNT = 128;

    /** Longest attribute name, at every level: names are repeated in every entry. */
    public static final int ATTRIBUTE_NAME_BYTES = 256;

    /**
     * Most bytes of all attributes of one entry, in their canonical encoding. Attributes travel with every
     * read of an entry; this also leaves a wide margin below DynamoDB's item of 400 KB.
     */
    public static final int ATTRIBUTES_BYTES = 64 * 1024;

    /**
     * Deepest nesting: a top-level attribute is at depth 1, an element of a list or map is one deeper than it. Half of
     * DynamoDB's 32, and shallow enough that recursion over a value cannot exhaust a stack.
     */
    public static final int ATTRIBUTE_DEPTH = 16;

    /** Most significant digits of a number: DynamoDB's limit, the tightest of the stores. */
    public static final int NUMBER_DIGITS = 38;

    /** Smallest decimal exponent of a number other than zero, as in {@code 1E-130}: DynamoDB's limit. */
    public static final int NUMBER_EXPONENT_MIN = -130;

    /** Largest decimal exponent of a number, as in {@code 9.99E+125}: DynamoDB's limit. */
    public static final int NUMBER_EXPONENT_MAX = 125;

    private SizeLimits() {}
}
