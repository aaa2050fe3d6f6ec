package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** Work that runs under a lease and has a result. */
@FunctionalInterface
public interface LeaseWork<T extends @Nullable Object> {
    T run(Lease lease) throws Exception;
}
