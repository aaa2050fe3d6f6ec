package dev.holdfast.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An entry as a store returned it.
 *
 * @param age how long the entry's beat has stayed unchanged, by a clock that all clients of the store share; null where
 *     there is no such clock, or after it was reset (a reboot): then clients judge expiry by their own observation. It
 *     has no meaning for an entry without a grant.
 */
public record StoredEntry(Entry entry, @Nullable Duration age) {}
