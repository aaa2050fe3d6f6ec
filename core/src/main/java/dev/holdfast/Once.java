package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of a key once, whoever gets to it: acquires the key, works, marks it done. Skipped if the key is done,
 * or another is at it.
 *
 * <p>"Once" is about what is recorded, not about what happened: a worker that dies after its work and before its mark
 * leaves the key to be worked again. Work that must not repeat an effect hands the lease's fence to whatever it writes
 * to.
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

    /** What became of a call. */
    public sealed interface Result<T extends @Nullable Object> {
        /** The work was done here, and is marked so. */
        record Ran<T extends @Nullable Object>(T value) implements Result<T> {}

        /** It was done before. */
        record AlreadyDone<T extends @Nullable Object>(AcquireResult.Done done) implements Result<T> {}

        /** Another is at it. */
        record HeldElsewhere<T extends @Nullable Object>(AcquireResult.Held held) implements Result<T> {}
    }

    /**
     * Does {@code work} on the calling thread, unless it is done or held.
     *
     * @throws LeaseLostException if the work ended, but another was granted the key meanwhile: it is not marked done
     * @throws Exception what {@code work} threw; the key is then free again
     */
    public <T extends @Nullable Object> Result<T> run(Key key, LeaseWork<T> work) throws Exception {
        AcquireResult result = leases.tryAcquire(key, options);
        if (result instanceof AcquireResult.Done done) {
            return new Result.AlreadyDone<>(done);
        }
        if (result instanceof AcquireResult.Held held) {
            return new Result.HeldElsewhere<>(held);
        }
        try (Lease lease = result.orThrow()) {
            T value = work.run(lease);
            lease.done(AttributePatch.NONE);
            return new Result.Ran<>(value);
        }
    }
}
