package dev.holdfast.guard;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;

/**
 * A check in front of a resource: it lets a fence pass that is at least as large as every fence it has seen for the key,
 * and refuses all others. It remembers the largest one where the resource keeps its data.
 *
 * <p>A check must be one conditional write, whose result decides. To read the newest fence and then decide is not enough: a
 * newer holder may write in between.
 *
 * @param <R> the place of the check, such as a JDBC connection with a transaction
 * @param <E> a failure of the resource
 */
public interface FenceGuard<R, E extends Exception> {
    /**
     * The smallest fence that is accepted. Holdfast's own stores give the time in microseconds, and this is September 2001; tables of
     * other tools give small counts.
     */
    long LEAST_FENCE = 1_000_000_000_000_000L;

    /** The guard of a database that is used through JDBC. */
    static JdbcFenceGuard jdbc() {
        return JdbcFenceGuard.DEFAULT;
    }

    /**
     * Checks a fence, and remembers it.
     *
     * @throws StaleFenceException if a larger one was seen before
     */
    void check(R resource, Key key, Fence fence) throws E;

    /**
     * Checks the fence of a lease, and remembers it.
     *
     * @throws StaleFenceException if a larger one was seen before
     * @throws IllegalArgumentException if the fence can fall: in the tables of other tools
     */
    default void check(R resource, Lease lease) throws E {
        check(resource, lease.key(), fenceOf(lease));
    }

    /**
     * The fence of a lease, if it can be compared with every other fence of its key.
     *
     * <p>Fences of Holdfast's own stores grow for ever. In the table of another tool, a fence is a small count, which begins anew
     * when the key is deleted: after that, the guard would refuse every holder.
     *
     * @throws IllegalArgumentException if the fence can fall
     */
    static Fence fenceOf(Lease lease) {
        Fence fence = lease.fence();
        if (fence.value() < LEAST_FENCE) {
            throw new IllegalArgumentException("fence: " + fence.value() + " (expected: >= " + LEAST_FENCE
                    + ", from a store in Holdfast's own layout: fences in the table of another tool can fall)");
        }
        return fence;
    }
}
