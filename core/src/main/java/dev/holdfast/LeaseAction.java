package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** An action that runs under a lease and has no result. */
@FunctionalInterface
public interface LeaseAction {
    void run(Lease lease) throws Exception;

    /** This action as work whose result is null. */
    default LeaseWork<@Nullable Void> asWork() {
        return lease -> {
            run(lease);
            return null;
        };
    }
}
