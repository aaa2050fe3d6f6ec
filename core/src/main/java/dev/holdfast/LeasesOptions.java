package dev.holdfast;

import dev.holdfast.environment.ProcessIdentity;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Options of a client. Immutable; made by {@link #builder}. */
public final class LeasesOptions {
    private static final CleanUpOptions USUAL_CLEAN_UP = CleanUpOptions.idle(10_000);

    private final Holder holder;
    private final LeaseListener listener;
    private final Duration operationTimeout;
    private final Duration settleTimeout;
    private final int queueLimit;
    private final int cacheSize;
    private final @Nullable Integer history;
    private final boolean background;
    private final @Nullable CleanUpOptions cleanUp;
    private final @Nullable HostEnvironment hostEnvironment;

    private LeasesOptions(Builder from) {
        // Computed only if needed: the lookup of user and host takes longer than many a command.
        this.holder = from.holder == null ? ProcessIdentity.holder() : from.holder;
        this.listener = from.listener;
        this.operationTimeout = from.operationTimeout;
        this.settleTimeout = from.settleTimeout;
        this.queueLimit = from.queueLimit;
        this.cacheSize = from.cacheSize;
        this.history = from.history;
        this.background = from.background;
        this.cleanUp = from.cleanUp;
        this.hostEnvironment = from.hostEnvironment;
    }

    public static LeasesOptions defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The name of this client. */
    public Holder holder() {
        return holder;
    }

    public LeaseListener listener() {
        return listener;
    }

    /** The time after which a request fails. */
    public Duration operationTimeout() {
        return operationTimeout;
    }

    /** The additional time for making sure that a request without an answer can no longer take effect. */
    public Duration settleTimeout() {
        return settleTimeout;
    }

    /** The most requests in the queue; further ones fail at once as overloaded. */
    public int queueLimit() {
        return queueLimit;
    }

    /**
     * The most entries in the cache, which saves reads before writes. As many more are observed where the store does not
     * report ages: the planner of a fleet there needs one for each worker.
     */
    public int cacheSize() {
        return cacheSize;
    }

    /**
     * The most lines in the histories that this client writes; empty to keep as many as the URL of the store says, or the
     * usual number. A server decides this itself.
     */
    public OptionalInt history() {
        return history == null ? OptionalInt.empty() : OptionalInt.of(history);
    }

    /** Whether the client has threads of its own. */
    public boolean isBackground() {
        return background;
    }

    /** The clean-up in the background; empty for none. */
    public Optional<CleanUpOptions> cleanUp() {
        return Optional.ofNullable(cleanUp);
    }

    /** The clean-up in the background of a store that cleans up by itself: only what was configured explicitly. */
    public Optional<CleanUpOptions> extraCleanUp() {
        return cleanUp().filter(options -> options != USUAL_CLEAN_UP);
    }

    /** The environment to use; empty for the system's. */
    public Optional<HostEnvironment> environment() {
        return Optional.ofNullable(hostEnvironment);
    }

    /** Makes {@link LeasesOptions}; rejects a bad value at once. */
    public static final class Builder {
        private @Nullable Holder holder;
        private LeaseListener listener = LeaseListener.NONE;
        private Duration operationTimeout = Duration.ofSeconds(10);
        private Duration settleTimeout = Duration.ofSeconds(5);
        private int queueLimit = 10_000;
        private int cacheSize = 16_384;
        private @Nullable Integer history;
        private boolean background = true;
        private @Nullable CleanUpOptions cleanUp = USUAL_CLEAN_UP;
        private @Nullable HostEnvironment hostEnvironment;

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
            operationTimeout = ArgumentCheck.positive("operationTimeout", newTimeout, Duration.ofDays(1));
            return this;
        }

        /** Default: 5 seconds. */
        public Builder settleTimeout(Duration newTimeout) {
            settleTimeout = ArgumentCheck.positive("settleTimeout", newTimeout, Duration.ofDays(1));
            return this;
        }

        /** Default: 10,000. */
        public Builder queueLimit(int newLimit) {
            queueLimit = atLeastOne("queueLimit", newLimit);
            return this;
        }

        /** Default: 16,384. */
        public Builder cacheSize(int newSize) {
            cacheSize = atLeastOne("cacheSize", newSize);
            return this;
        }

        /**
         * Sets how many ended grants of each key are kept in its history: 0 to 50. All clients of a store should use the same
         * number, as each write that ends a grant keeps the number of its own client. Default: {@code history} in the URL of
         * the store, or 5.
         */
        public Builder history(int newLength) {
            history = GrantHistory.requireLength(newLength);
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
            cleanUp = newCleanUp;
            return this;
        }

        /** Disables the clean-up in the background of this client. */
        public Builder withoutCleanUp() {
            cleanUp = null;
            return this;
        }

        /** Sets the environment, for tests and simulators. It is not closed with the client. */
        public Builder environment(HostEnvironment newEnvironment) {
            hostEnvironment = newEnvironment;
            return this;
        }

        public LeasesOptions build() {
            return new LeasesOptions(this);
        }

        private static int atLeastOne(String field, int value) {
            if (value < 1) {
                throw ArgumentCheck.bad(field, value, ">= 1");
            }
            return value;
        }
    }
}
