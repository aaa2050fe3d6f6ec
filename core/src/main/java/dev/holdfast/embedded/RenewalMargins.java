package dev.holdfast.embedded;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.explanation.RenewalView;
import dev.holdfast.internal.pipeline.EntryCache;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseActivity.LateRenewal;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much of the term was left at the last renewals that passed through this process. Bounded; the keys that were renewed least
 * recently are dropped first. For explanations only: no decision uses it.
 */
final class RenewalMargins {
    /** Enough to tell one late renewal from a habit. */
    private static final int KEPT = 5;

    /** The most leases that are listed as late. More would not fit on any screen. */
    private static final int MOST_LATE = 1_000;

    /** After this many terms without a renewal, a lease is no longer renewed late: it is lost, or its holder is silent. */
    private static final int TERMS_SHOWN = 2;

    private final EntryCache cache;
    private final HostEnvironment environment;
    private final Map<Key, Margins> byKey;
    /** The keys with a late one among their last renewals, in the order of the last renewal. */
    private final Map<Key, Margins> late = new LinkedHashMap<>();

    RenewalMargins(EntryCache cache, HostEnvironment environment, int capacity) {
        this.cache = cache;
        this.environment = environment;
        this.byKey = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Margins> eldest) {
                return size() > capacity;
            }
        };
    }

    /** The margins of one holder. Its fence is no proof: in some layouts it grows with every renewal. */
    private static final class Margins {
        private final Holder holder;
        private final long[] leftNanos = new long[KEPT];
        private int count;
        private long termNanos;
        private long renewedNanos;

        Margins(Holder holder) {
            this.holder = holder;
        }

        void add(long nanos) {
            leftNanos[count++ % KEPT] = nanos;
        }

        long least() {
            return Arrays.stream(leftNanos).limit(Math.min(count, KEPT)).min().orElse(Long.MAX_VALUE);
        }

        boolean isLate() {
            return RenewalView.isClose(Duration.ofNanos(least()), Duration.ofNanos(termNanos));
        }

        LateRenewal describe(Key key, long nowNanos) {
            return new LateRenewal(
                    key,
                    holder,
                    Duration.ofNanos(leftNanos[(count - 1) % KEPT]),
                    Duration.ofNanos(least()),
                    Duration.ofNanos(termNanos),
                    Duration.ofNanos(nowNanos - renewedNanos));
        }

        List<Duration> newestFirst() {
            List<Duration> left = new ArrayList<>();
            for (int i = Math.max(0, count - KEPT); i < count; i++) {
                left.add(Duration.ofNanos(leftNanos[i % KEPT]));
            }
            Collections.reverse(left);
            return left;
        }
    }

    /** Makes a call that renews, and notes its margin when it is answered. */
    CompletableFuture<Answer> noting(Key key, Supplier<CompletableFuture<Answer>> call) {
        ObservedEntry before = cache.get(key);
        CompletableFuture<Answer> renewal = call.get();
        Entry entry = before == null ? null : before.entry();
        Grant grant = entry == null ? null : entry.grant();
        if (before != null && entry != null && grant != null) {
            Futures.whenDone(renewal, (answer, error) -> {
                if (answer instanceof Answer.Applied) {
                    note(key, grant, environment.nanos() - before.beatSeenNanos());
                }
            });
        }
        return renewal;
    }

    private synchronized void note(Key key, Grant grant, long sinceNanos) {
        Margins known = byKey.get(key);
        if (known == null || !known.holder.equals(grant.holder())) {
            known = new Margins(grant.holder());
            byKey.put(key, known);
        }
        known.termNanos = grant.term().toNanos();
        known.renewedNanos = environment.nanos();
        known.add(Math.max(0, known.termNanos - sinceNanos));
        late.remove(key);
        if (grant.term().isKnown() && known.isLate()) {
            late.put(key, known);
            if (late.size() > MOST_LATE) {
                late.remove(late.keySet().iterator().next());
            }
        }
    }

    /** The leases that are renewed late: see {@link dev.holdfast.service.LeaseActivity#lateRenewals}. */
    synchronized List<LateRenewal> late(Predicate<Key> selected, int most) {
        long nowNanos = environment.nanos();
        late.entrySet().removeIf(it -> isOver(it.getKey(), it.getValue(), nowNanos));
        List<LateRenewal> found = new ArrayList<>();
        late.forEach((key, margins) -> {
            if (selected.test(key)) {
                found.add(margins.describe(key, nowNanos));
            }
        });
        Collections.reverse(found);
        return List.copyOf(found.subList(0, Math.min(most, found.size())));
    }

    /** Whether the lease has ended, as far as this process knows. */
    private boolean isOver(Key key, Margins margins, long nowNanos) {
        ObservedEntry seen = cache.get(key);
        Entry entry = seen == null ? null : seen.entry();
        boolean isOthers = entry != null
                && (entry.state() != LeaseState.HELD
                        || entry.grant() == null
                        || !entry.grant().holder().equals(margins.holder));
        return isOthers || nowNanos - margins.renewedNanos > TERMS_SHOWN * margins.termNanos;
    }

    /** The margins of the current holder, newest first. */
    synchronized List<Duration> of(@Nullable Entry entry) {
        Grant grant = entry == null ? null : entry.grant();
        Margins known = entry == null ? null : byKey.get(entry.key());
        return known == null || grant == null || !known.holder.equals(grant.holder()) ? List.of() : known.newestFirst();
    }
}
