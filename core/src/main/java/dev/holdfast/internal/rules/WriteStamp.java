package dev.holdfast.internal.rules;

import dev.holdfast.Fence;
import dev.holdfast.store.Version;
import java.time.Instant;

/**
 * What a write is marked with.
 *
 * @param version fresh, for this write alone
 * @param now the writer's wall clock
 * @param floor what the store said of fences of keys without an entry
 */
public record WriteStamp(Version version, Instant now, Fence floor) {}
