package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.StoreFeature;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the history of a key: a line for each grant that ended, and how it ended. */
interface LeasesHistoryContract extends LeasesSteps {
    private List<PastGrant> lines(Leases by) {
        return status(by).history().lines();
    }

    private PastGrant last(Leases by) {
        return status(by).history().last().orElseThrow();
    }

    @Test
    default void everyEndIsRecorded() {
        needs(StoreFeature.HISTORY, StoreFeature.DONE);
        var first = acquire(ann(), KEY);
        assertThat(lines(ann())).as("the current grant is in the entry").isEmpty();
        ann().renew(KEY, first.token());
        var granted = status(ann()).entry();
        first.release();
        acquire(bob(), KEY).done();
        ann().reopen(KEY);
        acquire(ann(), KEY);
        bob().evict(KEY, "it hangs");
        acquire(ghost(), KEY);
        takeOver(bob(), KEY);

        assertThat(lines(ann()))
                .extracting(PastGrant::end)
                .containsExactly(GrantEnd.RELEASED, GrantEnd.DONE, GrantEnd.EVICTED, GrantEnd.EXPIRED);
        assertThat(lines(ann())).extracting(PastGrant::number).containsExactly(1L, 2L, 3L, 4L);
        assertThat(lines(ann())).extracting(line -> line.holder().name()).containsExactly("ann", "bob", "ann", "ghost");
        assertThat(status(ann()).entry().grants()).isEqualTo(5);
        assertIsLineOf(lines(ann()).get(0), granted);
        assertThat(lines(bob())).isEqualTo(lines(ann()));
    }

    private static void assertIsLineOf(PastGrant line, Entry held) {
        assertThat(line.fence()).isEqualTo(held.fence());
        assertThat(held.grant())
                .isNotNull()
                .satisfies(grant -> assertThat(line.grantedAt()).isEqualTo(grant.grantedAt()));
        assertThat(line.endedAt()).hasValue(line.endedBy());
        assertThat(line.endedBy()).isAfterOrEqualTo(line.grantedAt());
    }

    @Test
    default void anExpiredGrantEndedByTheNextOneAndNotAtAMoment() {
        needs(StoreFeature.HISTORY);
        acquire(ghost(), KEY);
        takeOver(bob(), KEY);

        assertThat(last(ann()).end()).isEqualTo(GrantEnd.EXPIRED);
        assertThat(last(ann()).endedAt()).isEmpty();
        assertThat(status(ann()).entry().grant())
                .isNotNull()
                .satisfies(next -> assertThat(last(ann()).endedBy()).isEqualTo(next.grantedAt()));
    }

    @Test
    default void anExplanationHasTheHistory() {
        needs(StoreFeature.HISTORY);
        acquire(ann(), KEY).release();
        acquire(bob(), KEY);

        assertThat(bob().explain(KEY).status().orElseThrow().history().lines())
                .hasSize(1)
                .isEqualTo(lines(bob()));
    }

    @Test
    default void anEvictionCarriesItsActorAndReason() {
        needs(StoreFeature.HISTORY);
        acquire(ann(), KEY);
        bob().evict(KEY, "it hangs");
        assertThat(last(ann()).actor()).isEqualTo(Holder.of("bob"));
        assertThat(last(ann()).reason()).isEqualTo("it hangs");

        acquire(ann(), KEY);
        bob().evict(KEY, "a long story, ".repeat(20), Holder.of("a user of bob"));
        assertThat(last(ann()).actor()).isEqualTo(Holder.of("a user of bob"));
        assertThat(last(ann()).reason())
                .startsWith("a long story, ")
                .endsWith("...")
                .hasSize(120);
    }

    /** A release that comes before the other request is in line is a release: then this tries again. */
    @Test
    default void aHandOverIsRecorded() {
        needs(StoreFeature.HISTORY);
        var lease = acquire(ann(), KEY);
        for (int i = 0; i < 100 && status(ann()).history().isEmpty(); i++) {
            var next = waitFor(ann(), aLongTime());
            settled();
            assertThat(status(ann()).isHeld()).isTrue();
            lease.release();
            lease = soon(next).orThrow();
            if (last(ann()).end() != GrantEnd.HANDED_OVER) {
                lease.release();
                ann().delete(KEY);
                lease = acquire(ann(), KEY);
            }
        }

        assertThat(lines(ann())).extracting(PastGrant::end).containsExactly(GrantEnd.HANDED_OVER);
        assertThat(last(ann()).number()).isEqualTo(1);
        assertThat(status(ann()).entry().grants()).isEqualTo(2);
    }

    @Test
    default void aGrantThatEndedWithItsAnchorIsRecordedByTheNextOne() {
        needs(StoreFeature.HISTORY);
        under(ann(), anchor(ann()), KEY);
        bob().evict(WORKER, "the worker hangs");
        assertThat(lines(bob())).as("nothing was written yet").isEmpty();
        acquire(bob(), KEY);

        assertThat(lines(bob())).extracting(PastGrant::end).containsExactly(GrantEnd.ORPHANED);
        assertThat(last(bob()).endedAt()).isEmpty();
        assertThat(bob().get(WORKER).orElseThrow().history().last())
                .hasValueSatisfying(line -> assertThat(line.end()).isEqualTo(GrantEnd.EVICTED));
    }

    @Test
    default void theHistoryIsBoundedAndEndsWithTheLastGrant() {
        needs(StoreFeature.HISTORY);
        int grants = GrantHistory.USUAL_LINES + 2;
        for (int i = 0; i < grants; i++) {
            acquire(ann(), KEY).release();
        }

        assertThat(lines(ann())).hasSize(GrantHistory.USUAL_LINES);
        assertThat(last(ann()).number()).isEqualTo(grants);
        assertThat(lines(ann()).get(0).number()).isEqualTo(3);
    }

    @Test
    default void deletionRemovesTheHistory() {
        needs(StoreFeature.HISTORY);
        acquire(ann(), KEY).release();
        ann().delete(KEY);
        assertThat(status(ann()).history().isEmpty()).isTrue();

        acquire(ann(), KEY).release();
        assertThat(lines(ann())).extracting(PastGrant::number).containsExactly(1L);
    }

    @Test
    default void aListingHasNoHistories() {
        needs(StoreFeature.HISTORY);
        acquire(ann(), KEY).release();

        var listed = soon(ann().async().list(LeaseFilter.all(), null, 100)).statuses();
        assertThat(listed)
                .filteredOn(status -> status.key().equals(KEY))
                .singleElement()
                .satisfies(status -> assertThat(status.history().isEmpty()).isTrue());
        // A listing is remembered by its client, but a write does not rest on what it left out.
        acquire(ann(), KEY).release();
        assertThat(lines(ann())).hasSize(2);
    }
}
