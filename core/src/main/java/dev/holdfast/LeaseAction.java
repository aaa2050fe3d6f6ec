package dev.holdfast;

/** An action that runs under a lease and has no result. */
@FunctionalInterface
public interface LeaseAction {
    void run(Lease lease) throws Exception;
}
