package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.StoreFeature;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of statuses and listings, which report the state of a key now and not only the stored one. */
interface LeasesListContract extends LeasesSteps {
    private LeaseFilter shop() {
        return has(StoreFeature.NAMESPACES) ? LeaseFilter.namespacePrefix("shop") : LeaseFilter.all();
    }

    private Key inShop(String name) {
        return has(StoreFeature.NAMESPACES) ? Key.of("shop", name) : Key.of(name);
    }

    @Test
    default void aKeyThatWasNeverLeasedHasNoStatus() {
        assertThat(ann().get(KEY)).isEmpty();
        assertThat(ann().list(LeaseFilter.all())).isEmpty();
    }

    @Test
    default void aStatusReportsTheHolderAndTheTimeLeft() {
        var lease = acquire(ann(), KEY);

        var status = status(bob());

        assertThat(status.key()).isEqualTo(KEY);
        assertThat(status.state()).isEqualTo(LeaseState.HELD);
        assertThat(status.isExpired()).isFalse();
        assertThat(status.fence()).isEqualTo(fenceOf(lease));
        assertThat(status.holder()).contains(Holder.of("ann"));
        assertThat(status.remaining()).isPositive().isLessThanOrEqualTo(longestLeft());
        assertThat(status.entry().grants()).isEqualTo(1);
    }

    @Test
    default void anExpiredKeyIsFree() {
        acquire(ann(), KEY);
        bob().get(KEY);
        outlast();

        var status = status(bob());

        assertThat(status.state()).isEqualTo(LeaseState.FREE);
        assertThat(status.isExpired()).isTrue();
        assertThat(status.isHeld()).isFalse();
        assertThat(status.remaining()).isZero();
        assertThat(status.entry().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    default void listingsFilterByState() {
        Key expired = inShop("expired");
        Key held = inShop("held");
        Key free = inShop("free");
        Key done = inShop("done");
        List<Key> finished = has(StoreFeature.DONE) ? List.of(done) : List.of();
        acquire(ann(), expired);
        acquire(ann(), free).release();
        for (Key key : finished) {
            acquire(ann(), key).done();
        }
        bob().get(expired);
        outlast();
        ann().tryAcquire(held, renewed()).orThrow();

        List<Key> all = new ArrayList<>(List.of(expired, held, free));
        all.addAll(finished);
        assertThat(list(shop())).containsExactlyInAnyOrderElementsOf(all);
        assertThat(list(shop().state(LeaseState.HELD))).containsExactly(held);
        assertThat(list(shop().state(LeaseState.FREE))).containsExactlyInAnyOrder(expired, free);
        assertThat(list(shop().state(LeaseState.DONE))).containsExactlyElementsOf(finished);
    }

    @Test
    default void listingsResolveAnchors() {
        var anchor = anchor(ann());
        Key child = inShop("child");
        under(ann(), anchor, child);
        assertThat(list(shop().state(LeaseState.HELD))).containsExactly(child);

        anchor.close();

        assertThat(list(shop().state(LeaseState.HELD))).isEmpty();
        assertThat(list(shop().state(LeaseState.FREE))).containsExactly(child);
    }

    @Test
    default void listingsFilterByHolderAndToken() {
        var anns = acquire(ann(), inShop("a"));
        var bobs = acquire(bob(), inShop("b"));
        if (has(StoreFeature.NAMESPACES)) {
            acquire(bob(), Key.of("bank", "b"));
        }
        anns.release();

        assertThat(list(shop().holder(Holder.of("ann")))).containsExactly(anns.key());
        assertThat(list(shop().holder(Holder.of("bob")))).containsExactly(bobs.key());
        assertThat(list(LeaseFilter.all().token(bobs.token()))).containsExactly(bobs.key());
        assertThat(list(shop().holder(Holder.of("bob")).state(LeaseState.FREE))).isEmpty();
    }

    @Test
    default void listingsFilterByThePrefixOfTheName() {
        String shop = has(StoreFeature.NAMESPACES) ? "shop" : "";
        Key apple = inShop("apple");
        Key apron = inShop("apron");
        acquire(ann(), apple);
        acquire(ann(), apron).release();
        acquire(ann(), inShop("pear"));
        if (has(StoreFeature.NAMESPACES)) {
            acquire(ann(), Key.of("shop/annex", "apple"));
            acquire(ann(), Key.of("apple"));
        }

        assertThat(list(LeaseFilter.names(shop, "ap"))).containsExactlyInAnyOrder(apple, apron);
        assertThat(list(LeaseFilter.names(shop, ""))).hasSize(3);
        assertThat(list(LeaseFilter.names(shop, "ap").state(LeaseState.HELD))).containsExactly(apple);
        assertThat(list(LeaseFilter.names(shop, "ap").state(LeaseState.FREE))).containsExactly(apron);
        assertThat(list(LeaseFilter.names(shop, "ap").holder(Holder.of("bob")))).isEmpty();
    }

    @Test
    default void aLongListingHasEachKeyOnce() {
        List<Key> keys = acquireMany(620);

        assertThat(list(shop())).hasSize(620).containsExactlyInAnyOrderElementsOf(keys);
        try (var all = bob().list(shop())) {
            assertThat(all.findFirst()).isPresent();
        }
    }

    @Test
    default void pagesFollowOneAnotherByCursor() {
        List<Key> keys = acquireMany(25);
        ann().evict(keys.get(3), "to have a free one");

        for (LeaseFilter filter : List.of(shop(), shop().state(LeaseState.HELD), shop().state(LeaseState.FREE))) {
            List<Key> paged = new ArrayList<>();
            @Nullable String cursor = null;
            do {
                var page = soon(bob().async().list(filter, cursor, 4));
                assertThat(page.statuses()).hasSizeLessThanOrEqualTo(4);
                page.statuses().forEach(status -> paged.add(status.key()));
                cursor = page.cursor();
            } while (cursor != null);
            assertThat(paged).containsExactlyInAnyOrderElementsOf(list(filter));
        }
    }

    @Test
    default void anUnknownCursorIsRefused() {
        acquireMany(2);

        for (LeaseFilter filter : List.of(shop(), shop().state(LeaseState.HELD), shop().state(LeaseState.FREE))) {
            // The client rejects some bad cursors itself; only the store detects the others.
            Throwable refusal = catchThrowable(() -> soon(bob().async().list(filter, "no cursor", 4)));
            assertThat(refusal instanceof CompletionException ? refusal.getCause() : refusal)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private List<Key> acquireMany(int count) {
        List<Key> keys =
                IntStream.range(0, count).mapToObj(i -> inShop("key-" + i)).toList();
        var results = keys.stream()
                .map(key -> ann().async().tryAcquire(key, renewed()))
                .toList();
        results.forEach(result -> assertThat(soon(result).isGranted()).isTrue());
        return keys;
    }

    private List<Key> list(LeaseFilter filter) {
        try (var statuses = bob().list(filter)) {
            return statuses.map(LeaseStatus::key).toList();
        }
    }
}
