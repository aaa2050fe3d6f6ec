package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Looking: how keys stand, whatever is stored. */
abstract class LeasesListContract extends LeasesOrphanContract {
    private static final LeaseFilter SHOP = LeaseFilter.namespacePrefix("shop");

    @Test
    void whatWasNeverLeasedIsNotThere() {
        assertThat(ann().get(KEY)).isEmpty();
        assertThat(ann().list(LeaseFilter.all())).isEmpty();
    }

    @Test
    void aStatusTellsWhoHoldsAKeyAndForHowLong() {
        Lease lease = acquire(ann(), KEY);

        LeaseStatus status = bob().get(KEY).orElseThrow();

        assertThat(status.key()).isEqualTo(KEY);
        assertThat(status.state()).isEqualTo(State.HELD);
        assertThat(status.isExpired()).isFalse();
        assertThat(status.fence()).isEqualTo(lease.fence());
        assertThat(status.holder()).contains(Holder.of("ann"));
        assertThat(status.remaining()).isPositive().isLessThanOrEqualTo(patience());
        assertThat(status.entry().grants()).isEqualTo(1);
    }

    @Test
    void whatHasRunOutIsFree() {
        acquire(ann(), KEY);
        bob().get(KEY);
        outlast();

        LeaseStatus status = bob().get(KEY).orElseThrow();

        assertThat(status.state()).isEqualTo(State.FREE);
        assertThat(status.isExpired()).isTrue();
        assertThat(status.isHeld()).isFalse();
        assertThat(status.remaining()).isZero();
        assertThat(status.entry().state()).isEqualTo(State.HELD);
    }

    @Test
    void listingsFilterByHowKeysStand() {
        Key expired = Key.of("shop", "expired");
        Key held = Key.of("shop", "held");
        Key free = Key.of("shop", "free");
        Key done = Key.of("shop", "done");
        acquire(ann(), expired);
        acquire(ann(), free).release();
        acquire(ann(), done).done();
        bob().get(expired);
        outlast();
        ann().tryAcquire(held, renewed()).orThrow();

        assertThat(list(SHOP)).containsExactlyInAnyOrder(expired, held, free, done);
        assertThat(list(SHOP.state(State.HELD))).containsExactly(held);
        assertThat(list(SHOP.state(State.FREE))).containsExactlyInAnyOrder(expired, free);
        assertThat(list(SHOP.state(State.DONE))).containsExactly(done);
    }

    @Test
    void listingsResolveAnchors() {
        Anchor anchor = soon(ann().async().anchor("worker", term()));
        Key child = Key.of("shop", "child");
        ann().tryAcquire(child, renewed().under(anchor)).orThrow();
        assertThat(list(SHOP.state(State.HELD))).containsExactly(child);

        anchor.close();

        assertThat(list(SHOP.state(State.HELD))).isEmpty();
        assertThat(list(SHOP.state(State.FREE))).containsExactly(child);
    }

    @Test
    void listingsFilterByHolderAndToken() {
        Lease anns = acquire(ann(), Key.of("shop", "a"));
        Lease bobs = acquire(bob(), Key.of("shop", "b"));
        acquire(bob(), Key.of("bank", "b"));
        anns.release();

        assertThat(list(SHOP.holder(Holder.of("ann")))).containsExactly(anns.key());
        assertThat(list(SHOP.holder(Holder.of("bob")))).containsExactly(bobs.key());
        assertThat(list(LeaseFilter.all().token(bobs.token()))).containsExactly(bobs.key());
        assertThat(list(SHOP.holder(Holder.of("bob")).state(State.FREE))).isEmpty();
    }

    @Test
    void aLongListingHasEachKeyOnce() {
        List<Key> keys = acquireMany(620);

        assertThat(list(SHOP)).hasSize(620).containsExactlyInAnyOrderElementsOf(keys);
        try (Stream<LeaseStatus> all = bob().list(SHOP)) {
            assertThat(all.findFirst()).isPresent();
        }
    }

    @Test
    void pagesFollowOneAnotherByCursor() {
        List<Key> keys = acquireMany(25);
        ann().evict(keys.get(3), "to have a free one");

        for (LeaseFilter filter : List.of(SHOP, SHOP.state(State.HELD), SHOP.state(State.FREE))) {
            List<Key> paged = new ArrayList<>();
            @Nullable String cursor = null;
            do {
                StatusPage page = soon(bob().async().list(filter, cursor, 4));
                assertThat(page.statuses()).hasSizeLessThanOrEqualTo(4);
                page.statuses().forEach(status -> paged.add(status.key()));
                cursor = page.cursor();
            } while (cursor != null);
            assertThat(paged).containsExactlyInAnyOrderElementsOf(list(filter));
        }
    }

    @Test
    void aCursorThatNoPageEndedWithIsRefused() {
        acquireMany(2);

        for (LeaseFilter filter : List.of(SHOP, SHOP.state(State.HELD), SHOP.state(State.FREE))) {
            // Some cursors are known to be bad at once, some only by the store.
            Throwable refusal = catchThrowable(() -> soon(bob().async().list(filter, "no cursor", 4)));
            assertThat(refusal instanceof CompletionException ? refusal.getCause() : refusal)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private List<Key> acquireMany(int count) {
        List<Key> keys = IntStream.range(0, count)
                .mapToObj(i -> Key.of("shop", "key-" + i))
                .toList();
        List<CompletionStage<AcquireResult>> results = keys.stream()
                .map(key -> ann().async().tryAcquire(key, renewed()))
                .toList();
        results.forEach(result -> assertThat(soon(result).isGranted()).isTrue());
        return keys;
    }

    private List<Key> list(LeaseFilter filter) {
        try (Stream<LeaseStatus> statuses = bob().list(filter)) {
            return statuses.map(LeaseStatus::key).toList();
        }
    }
}
