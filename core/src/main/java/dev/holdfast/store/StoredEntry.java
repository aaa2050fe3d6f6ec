package dev.holdfast.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An entry as a store answered it.
 *
 * @param age how long the entry's beat has stood, by a clock that all clients of the store share; null where there is
 *     no such clock, or it cannot tell (after a reboot): then silence is judged by observation. Of no meaning for an
 *     entry without a grant.
 */
public record StoredEntry(Entry entry, @Nullable Duration age) {}
