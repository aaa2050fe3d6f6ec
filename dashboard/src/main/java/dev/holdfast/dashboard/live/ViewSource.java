package dev.holdfast.dashboard.live;

import dev.holdfast.Key;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The data of one view. A shared view calls it from one reading to the next, never twice at the same time. */
public interface ViewSource {
    /** Readings that follow each other without a change seen by this server: changes made elsewhere show after this time. */
    Duration USUAL_PAUSE = Duration.ofSeconds(4);

    /**
     * Reads the view.
     *
     * @param changed the keys that were written through this server since the last reading and that concern the view; empty for a
     *     regular reading
     */
    CompletionStage<ViewState> read(Set<Key> changed);

    /** Whether a key that was written through this server may change the view. Called on the threads of requests. */
    boolean concerns(Key key);

    /** The pause after a reading, if nothing changes. */
    default Duration pause() {
        return USUAL_PAUSE;
    }

    /** Ends background work. */
    default void close() {}
}
