package dev.holdfast.dynamodb.layouts;

import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Fixed properties of a format.
 *
 * @param dialect the features that are missing or different here
 * @param keyNames the attributes of the table's key, the partition key first
 * @param witnesses attributes that the tool changes with each of its grants and renewals; each of our writes is
 * conditional on their last seen values
 * @param own all attributes that have a meaning to the tool; others belong to the user
 * @param ownerName the attribute that names the holder, which may exceed our limits; empty if the tool has none
 * @param timeToLive the attribute by which the table's items expire; empty if there is none
 * @param skew how far our clock may differ from others, if a lease ends at a stored time; empty if no clock matters
 * @param step how far two clocks may differ, or how long others wait beyond an expiry; added to every wait before a
 * takeover
 */
record FormatTraits(
        StoreDialect dialect,
        List<String> keyNames,
        List<String> witnesses,
        Set<String> own,
        Optional<String> ownerName,
        Optional<String> timeToLive,
        Optional<Duration> skew,
        Duration step) {}
