package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Processes a key once: acquires it, runs the work, and marks it done. Skips a key that is done, or that another holder has.
 *
 * <p>"Once" refers to the recorded result. If a worker dies after its work and before the key is marked done, the work runs
 * again. Work that must not repeat an effect passes the fence of the lease to the resource that it writes to.
 */
public final class Once {
    private final Leases leases;
    private final AcquireOptions options;

    private Once(Leases leases, AcquireOptions options) {
        this.leases = leases;
        this.options = options;
    }

    public static Once with(Leases leases) {
        return new Once(leases, AcquireOptions.defaults());
    }

    public static Once with(Leases leases, AcquireOptions options) {
        return new Once(leases, options);
    }

    /** The result of a call. */
    public sealed interface Result<T extends @Nullable Object> {
        /** The work ran here, and the key is marked done. */
        record Ran<T extends @Nullable Object>(T value) implements Result<T> {}

        /** The key was done before. */
        record AlreadyDone<T extends @Nullable Object>(AcquireResult.Done done) implements Result<T> {}

        /** Another holder has the key. */
        record HeldElsewhere<T extends @Nullable Object>(AcquireResult.HeldByAnother held) implements Result<T> {}
    }

    /** Runs an action that has no result, as {@link #call} does. */
    public Result<@Nullable Void> run(Key key, LeaseAction action) throws Exception {
        return call(key, action.asWork());
    }

    /**
     * Runs {@code work} on the calling thread, unless the key is done or held.
     *
     * @throws LeaseLostException if the work ended, but another holder was granted the key meanwhile; the key is not marked done
     * @throws Exception thrown by {@code work}; the key is free then
     */
    public <T extends @Nullable Object> Result<T> call(Key key, LeaseWork<T> work) throws Exception {
        AcquireResult result = leases.tryAcquire(key, options);
        if (result instanceof AcquireResult.Done done) {
            return new Result.AlreadyDone<>(done);
        }
        if (result instanceof AcquireResult.HeldByAnother held) {
            return new Result.HeldElsewhere<>(held);
        }
        try (Lease lease = result.orThrow()) {
            T value = work.run(lease);
            lease.done(AttributePatch.NONE);
            return new Result.Ran<>(value);
        }
    }
}
