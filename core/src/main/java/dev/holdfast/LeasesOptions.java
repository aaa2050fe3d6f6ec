package dev.holdfast;

import dev.holdfast.environment.ProcessIdentity;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of a client. Immutable; made by {@link #builder}.
 *
 * @param holder the name of this client
 * @param operationTimeout the time after which a request fails
 * @param settleTimeout the additional time for making sure that a request without an answer can no longer take effect
 * @param queueLimit the most requests in the queue; further ones fail at once as overloaded
 * @param cacheSize the most entries in the cache, which saves reads before writes. As many more are observed where the
 *     store does not report ages: the planner of a fleet there needs one for each worker
 * @param isBackground whether the client has threads of its own
 * @param cleanUp the clean-up in the background; empty for none
 * @param extraCleanUp the same for a store that cleans up by itself: only what was configured explicitly
 * @param environment the environment to use; empty for the system's
 */
public record LeasesOptions(
        Holder holder,
        LeaseListener listener,
        Duration operationTimeout,
        Duration settleTimeout,
        int queueLimit,
        int cacheSize,
        boolean isBackground,
        Optional<CleanUpOptions> cleanUp,
        Optional<CleanUpOptions> extraCleanUp,
        Optional<HostEnvironment> environment) {
    public LeasesOptions {
        ArgumentCheck.positive("operationTimeout", operationTimeout, Duration.ofDays(1));
        ArgumentCheck.positive("settleTimeout", settleTimeout, Duration.ofDays(1));
        requireAtLeastOne("queueLimit", queueLimit);
        requireAtLeastOne("cacheSize", cacheSize);
    }

    private static void requireAtLeastOne(String field, int value) {
        if (value < 1) {
            throw ArgumentCheck.bad(field, value, ">= 1");
        }
    }

    public static LeasesOptions defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Makes {@link LeasesOptions}. */
    public static final class Builder {
        private @Nullable Holder holder;
        private LeaseListener listener = LeaseListener.NONE;
        private Duration operationTimeout = Duration.ofSeconds(10);
        private Duration settleTimeout = Duration.ofSeconds(5);
        private int queueLimit = 10_000;
        private int cacheSize = 16_384;
        private boolean background = true;
        private Optional<CleanUpOptions> cleanUp = Optional.of(CleanUpOptions.idle(10_000));
        private Optional<CleanUpOptions> extraCleanUp = Optional.empty();
        private Optional<HostEnvironment> environment = Optional.empty();

        private Builder() {}

        /** Default: the user, the host and the process. */
        public Builder holder(String newHolder) {
            holder = Holder.of(newHolder);
            return this;
        }

        public Builder listener(LeaseListener newListener) {
            listener = newListener;
            return this;
        }

        /** Default: 10 seconds. */
        public Builder operationTimeout(Duration newTimeout) {
            operationTimeout = newTimeout;
            return this;
        }

        /** Default: 5 seconds. */
        public Builder settleTimeout(Duration newTimeout) {
            settleTimeout = newTimeout;
            return this;
        }

        /** Default: 10,000. */
        public Builder queueLimit(int newLimit) {
            queueLimit = newLimit;
            return this;
        }

        /** Default: 16,384. */
        public Builder cacheSize(int newSize) {
            cacheSize = newSize;
            return this;
        }

        /**
         * Uses no background threads, for platforms that freeze processes between calls. Calls run on the caller's thread.
         * Leases are not renewed automatically, and a loss is noticed at the next call. Use the blocking forms: work that
         * an asynchronous one cannot finish at once waits for the next blocking call.
         */
        public Builder withoutThreads() {
            background = false;
            return this;
        }

        /**
         * Sets the clean-up in the background. One of the clients of a store cleans up, about once an hour. Default: keys that
         * have been idle for a week, at most 10,000 at a time; done keys only if configured here.
         */
        public Builder cleanUp(CleanUpOptions newCleanUp) {
            cleanUp = Optional.of(newCleanUp);
            extraCleanUp = cleanUp;
            return this;
        }

        /** Disables the clean-up in the background of this client. */
        public Builder withoutCleanUp() {
            cleanUp = Optional.empty();
            extraCleanUp = cleanUp;
            return this;
        }

        /** Sets the environment, for tests and simulators. It is not closed with the client. */
        public Builder environment(HostEnvironment newEnvironment) {
            environment = Optional.of(newEnvironment);
            return this;
        }

        public LeasesOptions build() {
            return new LeasesOptions(
                    // Computed only if needed: the lookup of user and host takes longer than many a command.
                    holder == null ? ProcessIdentity.holder() : holder,
                    listener,
                    operationTimeout,
                    settleTimeout,
                    queueLimit,
                    cacheSize,
                    background,
                    cleanUp,
                    extraCleanUp,
                    environment);
        }
    }
}
