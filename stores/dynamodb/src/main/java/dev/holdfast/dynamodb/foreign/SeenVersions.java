package dev.holdfast.dynamodb.foreign;

import dev.holdfast.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cache of items by the versions that we returned. A write contains only the version, but its condition is on the
 * tool's attributes. Bounded; a missing item costs a read.
 *
 * <p>Thread-safe.
 */
final class SeenVersions {
    /** About as many entries as a client caches by default, so that the two seldom disagree. */
    private static final int MOST = 16_384;

    private final Map<Version, SeenItem> seen = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, SeenItem> eldest) {
            return size() > MOST;
        }
    };

    synchronized void put(SeenItem item) {
        seen.put(item.entry().version(), item);
    }

    synchronized @Nullable SeenItem get(Version version) {
        return seen.get(version);
    }

    /** No item can return to a version that a write of ours has replaced. */
    synchronized void forget(Version version) {
        seen.remove(version);
    }
}
