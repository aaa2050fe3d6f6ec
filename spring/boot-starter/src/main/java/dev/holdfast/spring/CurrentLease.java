package dev.holdfast.spring;

import dev.holdfast.Lease;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The lease of the {@link Leased} or {@link Once} method that runs on this thread, for its fence.
 *
 * <p>It is bound to the thread of the method: other threads, and the later steps of a {@code CompletionStage} or a reactive
 * type, do not see it.
 */
public final class CurrentLease {
    private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

    private CurrentLease() {}

    /** The lease of the innermost such method on this thread; empty outside of all. */
    public static Optional<Lease> get() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * The same.
     *
     * @throws IllegalStateException if no such method runs on this thread
     */
    public static Lease require() {
        return get().orElseThrow(() -> new IllegalStateException("no @Leased or @Once method runs on this thread"));
    }

    /** Runs {@code work} with {@code lease} as the current one. For code that calls such methods itself, and for tests. */
    public static <T extends @Nullable Object> T call(Lease lease, Callable<T> work) throws Exception {
        Lease before = CURRENT.get();
        CURRENT.set(lease);
        try {
            return work.call();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
