package dev.holdfast.store;

import dev.holdfast.StoreException;
import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An optional capability of a {@link StoreProvider}: to check a store before it is used, and to prepare one.
 *
 * <p>Without this capability, the only possible check of a store is whether it opens.
 */
public interface StoreSetup {
    /**
     * Checks the store for anything that could break a guarantee: whether it is reachable, its version, its durability,
     * its clock. Changes nothing, creates nothing.
     *
     * @param clock the wall clock of this machine
     * @return the findings, in the order of the checks; something that does not work is an {@code ERROR}
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreException if the store cannot be reached or queried
     */
    List<Finding> check(String url, Supplier<Instant> clock);

    /**
     * Whether the store exists, so that opening it would create nothing. Creates nothing itself.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreException if the store cannot be reached or queried
     */
    boolean exists(String url);

    /**
     * Creates the file or tables of the store. Leaves an existing store as it is.
     *
     * @param progress receives short sentences about each step; creating may take long
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreException if it cannot be done; the message names the alternative
     */
    void init(String url, Consumer<String> progress);

    /**
     * The commands that prepare the store, for an administrator to run where {@link #init} may not or should not do it.
     * They are in the usual languages for such stores; each part names its language. Does not contact the store.
     *
     * @return empty if other tools cannot create such a store
     * @throws IllegalArgumentException if the URL is invalid
     */
    default Optional<String> setupText(String url) {
        return Optional.empty();
    }

    /**
     * Brings an existing store to the newest version that this code knows. Does nothing if it is there already. Opening
     * a store never does this: an operator decides when older processes may no longer use it.
     *
     * @param progress receives short sentences about each step; upgrading may take long
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreException if it cannot be done; the message names the alternative
     */
    void upgrade(String url, Consumer<String> progress);

    /** How bad a finding is. */
    enum Level {
        OK,
        /** It works, but a guarantee may not hold in bad circumstances. */
        WARNING,
        /** It does not work. */
        ERROR
    }

    /**
     * The result of one check.
     *
     * @param what a short sentence, without passwords
     */
    record Finding(Level level, String what) {
        public Finding {
            if (what.isBlank()) {
                throw ArgumentCheck.bad("finding", what, "a sentence");
            }
        }

        public static Finding ok(String what) {
            return new Finding(Level.OK, what);
        }

        public static Finding warning(String what) {
            return new Finding(Level.WARNING, what);
        }

        public static Finding error(String what) {
            return new Finding(Level.ERROR, what);
        }
    }
}
