package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireResult;
import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.StoreFeature;
import dev.holdfast.explanation.EarliestGrant.Basis;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.explanation.WaitingLine.WaitingClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of explanations: why a key is held, and when it can be acquired. */
interface LeasesExplainContract extends LeasesSteps {
    @Test
    default void aKeyThatWasNeverLeasedIsExplainedAsFree() {
        LeaseExplanation explained = ann().explain(KEY);

        assertThat(explained.summary()).isEqualTo("order-42 is free: it was never leased.");
        assertThat(explained.status()).isEmpty();
        assertThat(explained.earliest().in()).hasValue(Duration.ZERO);
        assertThat(explained.earliest().basis()).isEqualTo(Basis.FREE);
    }

    @Test
    default void aHeldKeyIsExplainedByItsHolder() {
        acquire(ann(), KEY);

        LeaseExplanation explained = bob().explain(KEY);

        assertThat(explained.summary()).startsWith("order-42 is held").contains(" by ann. ");
        assertThat(explained.status().orElseThrow().isHeld()).isTrue();
        assertThat(explained.earliest().in().orElseThrow())
                .isGreaterThan(Duration.ZERO)
                .isLessThanOrEqualTo(patience().plusSeconds(1));
        assertThat(explained.earliest().basis()).isIn(Basis.STORE_CLOCK, Basis.OBSERVATION, Basis.STORED_END);
        assertThat(explained.waiting().total()).isZero();
    }

    @Test
    default void anOverdueRenewalIsExplained() {
        acquire(ann(), KEY);
        bob().explain(KEY);
        elapse(term().multipliedBy(2).dividedBy(3));

        LeaseExplanation explained = bob().explain(KEY);

        if (explained.status().orElseThrow().isHeld() && !dialect().expires()) {
            assertThat(explained.summary()).contains("overdue");
            assertThat(explained.renewals().since().orElseThrow()).isGreaterThan(term().dividedBy(2));
        }
    }

    @Test
    default void aHolderThatStoppedRenewingIsExplained() {
        acquire(ghost(), KEY);
        bob().explain(KEY);
        outlast();

        LeaseExplanation explained = bob().explain(KEY);

        assertThat(explained.summary()).startsWith("order-42 can be acquired now: its holder ghost has not renewed it");
        assertThat(explained.earliest().in()).hasValue(Duration.ZERO);
    }

    @Test
    default void renewalsAreExplainedByTheTermThatWasLeft() {
        var lease = acquire(ann(), KEY);
        elapse(term().dividedBy(3));
        lease.renew();

        LeaseExplanation explained = ann().explain(KEY);

        assertThat(explained.renewals().leftAtRenewals()).hasSize(1);
        assertThat(explained.renewals().leftAtRenewals().get(0))
                .isLessThanOrEqualTo(term().multipliedBy(2).dividedBy(3).plus(LeasesWaitContract.CLOCK_GRAIN));
    }

    @Test
    default void waitersAreExplainedInTheirOrder() {
        acquireAndRenew(ann());
        var first = waitAs(ann(), "cyd");
        until(() -> ann().explain(KEY).waiting().total() == 1);
        var second = waitAs(ann(), "dan");
        until(() -> ann().explain(KEY).waiting().total() == 2);

        LeaseExplanation explained = ann().explain(KEY);

        assertThat(explained.waiting().first())
                .extracting(WaitingClient::holder)
                .containsExactly(Holder.of("cyd"), Holder.of("dan"));
        assertThat(explained.waiting().first().get(0).patience()).isLessThanOrEqualTo(aLongTime());
        assertThat(List.of(first, second)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    default void aDoneKeyIsExplained() {
        needs(StoreFeature.DONE);
        acquire(ann(), KEY).done();

        LeaseExplanation explained = bob().explain(KEY);

        assertThat(explained.summary())
                .startsWith("order-42 is done: ann finished it")
                .endsWith("until it is reopened.");
        assertThat(explained.earliest().in()).isEmpty();
        assertThat(explained.earliest().basis()).isEqualTo(Basis.DONE);
    }

    @Test
    default void aLeaseUnderAnAnchorIsExplainedAndSoIsAnOrphan() {
        var anchor = anchor(ann());
        under(ann(), anchor, KEY);

        LeaseExplanation held = bob().explain(KEY);
        assertThat(held.summary()).startsWith("order-42 is held").contains("through the anchor ~anchors", " by ann.");
        assertThat(held.anchor().orElseThrow().isHeld()).isTrue();

        anchor.close();
        assertThat(bob().explain(KEY).summary()).startsWith("order-42 is an orphan and can be acquired now: ann held");
    }

    @Test
    default void aReleaseForAWaitingHolderIsHandedOverToIt() {
        var lease = acquireAndRenew(ann());
        var first = waitAs(ann(), "cyd");
        until(() -> ann().explain(KEY).waiting().total() == 1);
        var second = waitAs(ann(), "dan");
        until(() -> ann().explain(KEY).waiting().total() == 2);

        assertThat(lease.releaseTo("dan")).isTrue();

        var granted = soon(second).orThrow();
        assertThat(first).isNotDone();
        granted.release();
        soon(first).orThrow();
    }

    @Test
    default void aReleaseForAnAbsentHolderDelaysOthersForAMomentOnly() {
        needs(StoreFeature.ATTRIBUTES);
        var lease = acquireAndRenew(ann());

        assertThat(ann().releaseTo(KEY, lease.token(), "cyd")).isTrue();
        assertThat(status(bob()).state()).isEqualTo(LeaseState.FREE);

        var granted = soon(waitFor(bob(), aLongTime())).orThrow();
        assertThat(granted.attributes().isEmpty()).isTrue();
    }

    private CompletableFuture<AcquireResult> waitAs(Leases by, String holder) {
        return by.async().acquire(KEY, unrenewed().holder(holder), aLongTime()).toCompletableFuture();
    }
}
