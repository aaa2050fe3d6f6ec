package dev.holdfast.store;

import dev.holdfast.StoreException;
import dev.holdfast.internal.ArgumentCheck;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An optional power of a {@link StoreProvider}: to look at a store before it is relied upon, and to prepare one.
 *
 * <p>Of a store whose provider lacks it, all that can be told is whether it opens.
 */
public interface StoreSetup {
    /**
     * Looks at the store for what could break a promise: reachable, of the right version, durable, its clock. Changes
     * nothing, creates nothing.
     *
     * @param clock the wall clock of this machine
     * @return what was looked at, in the order of looking; what does not work is an {@code ERROR} among them
     * @throws IllegalArgumentException if the URL is not understood
     * @throws StoreException if the store cannot be reached or asked
     */
    List<Finding> check(String url, Supplier<Instant> clock);

    /**
     * Whether opening the store would find it there, and create nothing. Creates nothing itself.
     *
     * @throws IllegalArgumentException if the URL is not understood
     * @throws StoreException if the store cannot be reached or asked
     */
    boolean exists(String url);

    /**
     * Creates what the store needs (a file, tables). Leaves an existing store as it is.
     *
     * @param progress receives short sentences about each step; creating may take long
     * @throws IllegalArgumentException if the URL is not understood
     * @throws StoreException if it cannot be done; the message says what to do instead
     */
    void init(String url, Consumer<String> progress);

    /**
     * Brings an existing store to the newest version that this code knows. Does nothing if it is there already. Opening
     * a store never does this: an operator decides when older processes may no longer use it.
     *
     * @param progress receives short sentences about each step; upgrading may take long
     * @throws IllegalArgumentException if the URL is not understood
     * @throws StoreException if it cannot be done; the message says what to do instead
     */
    void upgrade(String url, Consumer<String> progress);

    /** How bad a finding is. */
    enum Level {
        OK,
        /** It works, and something that was promised may not hold on a bad day. */
        WARNING,
        /** It does not work. */
        ERROR
    }

    /**
     * One thing that was looked at.
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
