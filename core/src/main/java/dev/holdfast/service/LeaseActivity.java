package dev.holdfast.service;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.explanation.WaitingLine;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * The activity of one process over all keys: requests that wait, and holders that renew late. For people; no decision uses it.
 * Thread-safe; never blocks.
 */
public interface LeaseActivity {
    /** The activity of a process that sees none, because a server decides its requests. */
    LeaseActivity NONE = new LeaseActivity() {};

    /**
     * The keys that requests wait for in this process, longest line first, then longest wait.
     *
     * @param selected the keys to look at
     * @param most the most keys to describe
     */
    default WaitingSummary waiting(Predicate<Key> selected, int most) {
        return new WaitingSummary(0, 0, List.of());
    }

    /**
     * The leases with a renewal, among the last ones that this process saw, that came close to the end of the term; the newest
     * renewal first.
     */
    default List<LateRenewal> lateRenewals(Predicate<Key> selected, int most) {
        return List.of();
    }

    /**
     * All selected keys that requests wait for.
     *
     * @param keys how many keys
     * @param requests how many requests wait for them
     * @param longest the keys with the longest lines
     */
    record WaitingSummary(int keys, int requests, List<WaitedKey> longest) {}

    /** A key and the requests that wait for it. */
    record WaitedKey(Key key, WaitingLine line) {}

    /**
     * A lease that is renewed late.
     *
     * @param leftAtLast how much of the term was left at the last renewal
     * @param leastLeft the least that was left at one of the last renewals
     * @param sinceRenewal the time since the last renewal
     */
    record LateRenewal(
            Key key, Holder holder, Duration leftAtLast, Duration leastLeft, Duration term, Duration sinceRenewal) {}
}
