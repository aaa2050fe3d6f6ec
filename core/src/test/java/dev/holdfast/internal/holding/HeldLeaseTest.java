package dev.holdfast.internal.holding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.UnsupportedFeatureException;
import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.internal.pipeline.PipelineScene;
import dev.holdfast.internal.pipeline.StillEnvironment;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.ServiceBacked;
import dev.holdfast.service.TransactionalLease;
import dev.holdfast.store.Entry;
import dev.holdfast.store.ScriptedStore;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.WriteOutcome;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a lease whose store answers when the test says so. */
class HeldLeaseTest {
    private static final Key KEY = PipelineScene.KEY;
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(TERM).autoRenew(false);

    private final List<String> events = new ArrayList<>();
    private final StillEnvironment environment = new StillEnvironment();
    private final ScriptedStore store = new ScriptedStore();
    private final LocalLeases leases = open(StoreDialect.NATIVE);

    private LocalLeases open(StoreDialect dialect) {
        LeaseListener listener = new LeaseListener() {
            @Override
            public void onLost(Key key, LostReason reason) {
                events.add(key.name() + " lost: " + reason);
            }
        };
        return LocalLeases.over(
                store,
                environment,
                RuleSet.of(new StoreTraits(1, 100, Duration.ZERO, dialect)),
                LeasesOptions.builder().holder("us").listener(listener).build());
    }

    private Lease acquire(LocalLeases client, Key key, AcquireOptions options) {
        CompletableFuture<AcquireResult> granted =
                client.async().tryAcquire(key, options).toCompletableFuture();
        answer(WriteOutcome.APPLIED);
        return granted.join().orThrow();
    }

    private Lease acquire() {
        return acquire(leases, KEY, OPTIONS);
    }

    private ScriptedStore.Apply last() {
        return store.applies.get(store.applies.size() - 1);
    }

    private void answer(WriteOutcome outcome) {
        last().answer().complete(List.of(outcome));
    }

    private Entry lastWritten() {
        return Objects.requireNonNull(last().changes().get(0).next());
    }

    @Test
    void aLossThatIsFoundAfterTheReleaseIsNotReported() {
        Lease lease = acquire().onLost(reason -> events.add("callback"));
        CompletableFuture<Void> renewal = lease.renewAsync().toCompletableFuture();
        lease.releaseAsync();

        answer(WriteOutcome.conflict(PipelineScene.stored(PipelineScene.held(2))));

        assertThat(renewal)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseLostException.class);
        assertThat(events).isEmpty();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aLossIsReportedOnceWithItsFirstReason() {
        Lease lease = acquire().onLost(reason -> events.add("callback: " + reason));
        CompletableFuture<Void> renewal = lease.renewAsync().toCompletableFuture();
        environment.advance(TERM);
        assertThat(lease.isHeld()).isFalse();

        answer(WriteOutcome.conflict(PipelineScene.stored(PipelineScene.held(2))));

        assertThat(renewal).isCompletedExceptionally();
        assertThat(events).containsExactly("nightly lost: STORE_UNREACHABLE", "callback: STORE_UNREACHABLE");
        assertThatThrownBy(lease::checkHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void anUpdateThatFindsTheKeyTakenReportsTheLoss() {
        Lease updated = acquire().onLost(reason -> events.add("callback: " + reason));
        CompletableFuture<Void> update =
                updated.updateAsync(AttributePatch.putting("a", 1)).toCompletableFuture();

        answer(WriteOutcome.conflict(PipelineScene.stored(PipelineScene.held(2))));

        assertThat(update)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseLostException.class);
        assertThat(updated.isHeld()).isFalse();
        assertThat(events).containsExactly("nightly lost: TAKEN", "callback: TAKEN");
    }

    /** The anchor is released while the request under it is with the store. */
    @Test
    void aGrantUnderAnAnchorThatHasEndedIsReleasedAndReportedAsLost() {
        CompletableFuture<Anchor> anchored =
                leases.async().anchor("worker", TERM).toCompletableFuture();
        answer(WriteOutcome.APPLIED);
        Anchor anchor = anchored.join();
        CompletableFuture<AcquireResult> child = leases.async()
                .tryAcquire(KEY, AcquireOptions.defaults().under(anchor))
                .toCompletableFuture();
        CompletableFuture<Boolean> released = anchor.releaseAsync().toCompletableFuture();

        answer(WriteOutcome.APPLIED);

        assertThat(child)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(LostReason.EVICTED));
        assertThat(last().changes()).hasSize(2);
        last().answer().complete(List.of(WriteOutcome.APPLIED, WriteOutcome.APPLIED));
        assertThat(released).isCompletedWithValue(true);
    }

    @Test
    void aRenewalThatIsAnsweredAfterTheEndDoesNotReviveTheLease() {
        Lease lease = acquire();
        CompletableFuture<Void> renewal = lease.renewAsync().toCompletableFuture();
        lease.releaseAsync();

        answer(WriteOutcome.APPLIED);

        assertThat(renewal)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("has ended the lease");
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void aReleaseThatFailsIsReportedAsFailed() {
        Lease lease = acquire();
        CompletableFuture<Boolean> released = lease.releaseAsync().toCompletableFuture();
        assertThat(lease.isHeld()).as("before the answer").isFalse();

        last().answer().completeExceptionally(StoreException.rejected("no", null));

        assertThat(released)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreException.class);
        assertThat(lease.releaseAsync().toCompletableFuture())
                .as("the same release")
                .isCompletedExceptionally();
        assertThat(store.applies).hasSize(2);
    }

    @Test
    void aLeaseShowsTheAttributesThatItsWritesLeft() {
        Lease lease = acquire();
        lease.updateAsync(AttributePatch.putting("a", 1));
        answer(WriteOutcome.APPLIED);
        assertThat(lease.attributes()).isEqualTo(Attributes.NONE.with("a", 1));

        lease.doneAsync(AttributePatch.putting("b", 2));
        assertThat(lease.isHeld()).as("once its end was sent").isFalse();
        answer(WriteOutcome.APPLIED);

        assertThat(lease.attributes()).isEqualTo(Attributes.NONE.with("a", 1).with("b", 2));
        assertThat(lastWritten().state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    void aDoneLeaseHasNothingToRelease() {
        Lease lease = acquire();
        lease.doneAsync(AttributePatch.NONE);
        answer(WriteOutcome.APPLIED);

        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(false);
        assertThat(store.applies).hasSize(2);
    }

    @Test
    void aLeaseThatItsCallerFinishesItselfCausesNoWrite() {
        TransactionalLease lease = (TransactionalLease) acquire();

        lease.stopRelying();
        assertThat(lease.isHeld()).isFalse();
        lease.noteDone();

        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(false);
        assertThat(store.applies).hasSize(1);
    }

    @Test
    void aKeyThatItsCallerFinishedIsNotHeld() {
        TransactionalLease lease = (TransactionalLease) acquire();

        lease.noteDone();

        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aDetachedLeaseIsNeitherHeldHereNorReleased() {
        Lease lease = acquire();

        assertThat(lease.detach()).isEqualTo(lease.token());

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(false);
        assertThat(store.applies).hasSize(1);
        assertThatIllegalStateException().isThrownBy(lease::detach);
    }

    @Test
    void aLeaseThatDependsOnAnAnchorOfThisProcessCannotBeDetached() {
        CompletableFuture<Anchor> anchored =
                leases.async().anchor("worker", TERM).toCompletableFuture();
        answer(WriteOutcome.APPLIED);
        Anchor anchor = anchored.join();
        Lease child = acquire(leases, KEY, AcquireOptions.defaults().under(anchor));

        assertThatIllegalStateException().isThrownBy(child::detach).withMessageContaining("keeps the lease alive");
        assertThatIllegalStateException().isThrownBy(anchor::detach).withMessageContaining("keeps the lease alive");
        assertThat(child.isHeld()).isTrue();
        assertThat(child.remaining()).isEqualTo(anchor.remaining());
    }

    @Test
    void aLeaseWhoseTokenIsJustChangingCannotBeDetached() {
        LocalLeases changing = open(StoreDialect.of("changing").without(Set.of(StoreFeature.LASTING_TOKEN)));
        Lease lease = acquire(changing, KEY, OPTIONS);
        Token before = lease.token();
        CompletableFuture<Void> renewal = lease.renewAsync().toCompletableFuture();

        assertThatIllegalStateException().isThrownBy(lease::detach).withMessageContaining("changes the token");
        assertThat(lease.isHeld()).isTrue();
        answer(WriteOutcome.APPLIED);

        assertThat(renewal).isCompleted();
        assertThat(lease.detach()).isNotEqualTo(before);
    }

    /** Where renewals change the token, the stored one proves the lease. Elsewhere it is the one of the request. */
    @Test
    void theStoredTokenProvesALeaseWhereTokensChange() {
        Token stored = Objects.requireNonNull(PipelineScene.held(1).grant()).token();
        StoreDialect changing = StoreDialect.of("changing").without(Set.of(StoreFeature.LASTING_TOKEN));

        assertThat(granted(open(changing)).token()).isEqualTo(stored);
        assertThat(granted(leases).token()).isEqualTo(PipelineScene.acquire().token());
    }

    /** The lease of a grant that is stored with another token than the one of the request. */
    private static Lease granted(LocalLeases client) {
        LeaseService service = ((ServiceBacked) client.async()).service();
        ClockReading now = service.reading();
        return new HeldLeases(service, false)
                .granted(
                        new Answer.Applied(PipelineScene.held(1), now, now, now),
                        PipelineScene.acquire(),
                        new HeldLease.Terms(false, null));
    }

    @Test
    void anAnchorOfAnotherClientIsRejected() {
        LocalLeases other = open(StoreDialect.NATIVE);
        CompletableFuture<Anchor> anchored =
                other.async().anchor("worker", TERM).toCompletableFuture();
        answer(WriteOutcome.APPLIED);
        AcquireOptions under = AcquireOptions.defaults().under(anchored.join());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.async().tryAcquire(KEY, under))
                .withMessageContaining("an anchor of the same client");
    }

    @Test
    void aLeaseOfAStoreWithoutFencesHasNone() {
        assertThat(acquire().hasFence()).isTrue();

        LocalLeases fenceless = open(StoreDialect.of("bare").without(Set.of(StoreFeature.FENCE)));
        Lease lease = acquire(fenceless, Key.of("jobs", "other"), OPTIONS);

        assertThat(lease.hasFence()).isFalse();
        assertThatThrownBy(lease::fence).isInstanceOf(UnsupportedFeatureException.class);
    }

    /** The random number of the environment makes the interval a twentieth shorter than a third. */
    @Test
    void theNextRenewalIsCountedFromTheSendOfTheLastOne() {
        acquire(leases, KEY, OPTIONS.autoRenew(true));
        Duration interval = TERM.dividedBy(3).multipliedBy(19).dividedBy(20);
        environment.advance(interval.minusNanos(1));
        assertThat(store.applies).hasSize(1);
        environment.advance(Duration.ofNanos(1));
        assertThat(store.applies).hasSize(2);

        environment.advance(Duration.ofSeconds(1));
        answer(WriteOutcome.APPLIED);
        environment.advance(interval.minusSeconds(1).minusNanos(1));
        assertThat(store.applies).hasSize(2);
        environment.advance(Duration.ofNanos(1));

        assertThat(store.applies).hasSize(3);
    }

    @Test
    void aLeaseThatEndedIsForgotten() throws Exception {
        try (Leases forgetting = Holdfast.open("memory:")) {
            WeakReference<HeldLease> released = acquireAndRelease(forgetting);

            for (int i = 0; i < 500 && released.get() != null; i++) {
                System.gc();
                Thread.sleep(10);
            }

            assertThat(released.get()).isNull();
        }
    }

    /** In a method of its own, so that no variable refers to the lease. */
    private static WeakReference<HeldLease> acquireAndRelease(Leases from) {
        Lease lease = from.tryAcquire(KEY, OPTIONS).orThrow();
        lease.release();
        return new WeakReference<>(((LeaseHandle) lease).held);
    }

    @Test
    void theEndOfALeaseShowsInItsText() {
        Lease lease = acquire();
        assertThat(lease).hasToString("Lease[jobs/nightly, fence " + lease.fence() + ", held]");

        lease.releaseAsync();

        assertThat(lease.toString()).endsWith("ended]");
    }
}
