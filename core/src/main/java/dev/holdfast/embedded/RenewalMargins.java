package dev.holdfast.embedded;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.internal.pipeline.EntryCache;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much of the term was left at the last renewals that passed through this process. Bounded; the keys that were renewed least
 * recently are dropped first. For explanations only: no decision uses it.
 */
final class RenewalMargins {
    /** Enough to tell one late renewal from a habit. */
    private static final int KEPT = 5;

    private final EntryCache cache;
    private final HostEnvironment environment;
    private final Map<Key, Margins> byKey;

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

        Margins(Holder holder) {
            this.holder = holder;
        }

        void add(long nanos) {
            leftNanos[count++ % KEPT] = nanos;
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
                    note(key, grant.holder(), grant.term().toNanos() - (environment.nanos() - before.beatSeenNanos()));
                }
            });
        }
        return renewal;
    }

    private synchronized void note(Key key, Holder holder, long leftNanos) {
        Margins known = byKey.get(key);
        if (known == null || !known.holder.equals(holder)) {
            known = new Margins(holder);
            byKey.put(key, known);
        }
        known.add(Math.max(0, leftNanos));
    }

    /** The margins of the current holder, newest first. */
    synchronized List<Duration> of(@Nullable Entry entry) {
        Grant grant = entry == null ? null : entry.grant();
        Margins known = entry == null ? null : byKey.get(entry.key());
        return known == null || grant == null || !known.holder.equals(grant.holder()) ? List.of() : known.newestFirst();
    }
}
