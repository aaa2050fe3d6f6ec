package dev.holdfast.sim.world;

import dev.holdfast.Key;
import dev.holdfast.store.Change;
import java.util.List;

/** The content of a request to the store, for a recorder. */
public sealed interface StoreRequest {
    /** A request for entries by their keys. */
    record Read(List<Key> keys) implements StoreRequest {}

    /** A request for one page of entries. */
    record Scan() implements StoreRequest {}

    /** A batch of changes. */
    record Write(List<Change> changes) implements StoreRequest {}
}
