package dev.holdfast.dynamodb.foreign;

import dev.holdfast.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What items were like at the versions that we told of: a write names the version only, and its condition is on what the
 * tool writes. Bounded; what is forgotten costs a read.
 *
 * <p>Thread-safe.
 */
final class SeenVersions {
    /** About as many entries as a client remembers by default, so that the two seldom disagree. */
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

    /** No item can come back to a version that a write of ours has replaced. */
    synchronized void forget(Version version) {
        seen.remove(version);
    }
}
