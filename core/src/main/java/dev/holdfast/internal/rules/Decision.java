package dev.holdfast.internal.rules;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.Change;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the rules answer to a request. */
public sealed interface Decision {
    /** Apply this; if it is applied, the request is fulfilled. */
    record Write(Change change) implements Decision {}

    /** First have this silent anchor evicted; then ask again. */
    record EvictFirst(Key anchor) implements Decision {}

    /** Cannot be decided without having seen this key. */
    record Look(Key key) implements Decision {}

    /**
     * There is nothing left to do: what was asked for is so.
     *
     * @param entry null if the key has no entry
     */
    record Already(@Nullable Entry entry) implements Decision {
        public Optional<Entry> current() {
            return Optional.ofNullable(entry);
        }
    }

    /** No. Valid only for what the store answered after the request began. */
    sealed interface Refusal extends Decision {}

    /**
     * Somebody holds the key.
     *
     * @param remaining how long, unless it renews or releases, until others may take it
     */
    record Held(Entry entry, Duration remaining) implements Refusal {}

    /** The key is done. */
    record Finished(Entry entry) implements Refusal {}

    /** The token that was shown does not hold the key. */
    record Lost(LostReason reason) implements Refusal {}
}
