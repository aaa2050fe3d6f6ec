package dev.holdfast.internal.pipeline;

import static dev.holdfast.internal.pipeline.PipelineScene.KEY;
import static dev.holdfast.internal.pipeline.PipelineScene.held;
import static dev.holdfast.internal.pipeline.PipelineScene.stored;
import static dev.holdfast.internal.pipeline.PipelineScene.version;
import static dev.holdfast.internal.pipeline.RequestSteps.acquire;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The states of one request, and the promises to its caller. */
class PendingRequestTest {
    private static final Key ANCHOR = Key.ofAnchor(Holder.of("worker"));
    private static final Entry OURS = granted();
    private static final ClockReading NOW = new ClockReading(1, Instant.EPOCH);

    private final CallWrites writes = new CallWrites();
    private final PendingRequest pending = pending(acquire(1));

    private PendingRequest pending(LeaseRequest request) {
        return new PendingRequest(KEY, request, writes, 1, 0, 100);
    }

    private static Entry granted() {
        Entry entry = held(1);
        Grant grant = requireNonNull(entry.grant()).withToken(acquire(1).token());
        return entry.renewed(entry.version(), entry.fence(), grant, entry.attributes());
    }

    private static ObservedEntry observed(int number, long asked) {
        return ObservedEntry.of(stored(held(number)), asked, asked + 1, 0, null);
    }

    private void send() {
        pending.decided(Change.insert(OURS), null);
        assertThat(pending.claimSend()).isTrue();
        pending.sentAt(NOW);
    }

    @Test
    void nothingIsSentOnceTheCallerWasPromisedThatNothingWas() {
        assertThat(pending.expire()).isTrue();

        assertThat(pending.claimSend()).isFalse();
        assertThat(pending.expire()).isTrue();
    }

    @Test
    void noPromiseIsMadeWhileASendMayHaveAnEffect() {
        send();
        assertThat(pending.expire()).isFalse();

        pending.sendFailed(true);

        assertThat(pending.expire()).isFalse();
        assertThat(pending.isInDoubt()).isTrue();
    }

    @Test
    void aSendThatCertainlyFailedLeavesNoEffect() {
        send();
        pending.sendFailed(false);

        assertThat(pending.isInDoubt()).isFalse();
        assertThat(pending.expire()).isTrue();
    }

    @Test
    void aConflictLeavesNoEffect() {
        send();
        pending.undecide();

        assertThat(pending.state()).isInstanceOf(PendingRequest.State.Undecided.class);
        assertThat(pending.expire()).isTrue();
    }

    @Test
    void aConflictAfterADoubtfulSendPromisesNothing() {
        send();
        pending.setUncertain();
        pending.undecide();

        assertThat(pending.expire()).isFalse();
    }

    @Test
    void aDoubtOutlivesLaterSendsThatFailedForCertain() {
        send();
        pending.sendFailed(true);
        pending.sentAt(new ClockReading(2, Instant.EPOCH));
        pending.sendFailed(false);

        assertThat(pending.isInDoubt()).isTrue();
        assertThat(pending.expire()).isFalse();
        assertThat(pending.writing().firstSent()).isEqualTo(NOW);
        assertThat(requireNonNull(pending.unsettled()).change()).isEqualTo(Change.insert(OURS));
    }

    @Test
    void aBarThatIsReplacedKeepsItsDeadlineAndTheChangeThatItBars() {
        send();
        pending.sendFailed(true);
        pending.attempts = 7;
        Change first = Change.insert(held(2));
        Change second = Change.insert(held(3));

        pending.bar(first, 1_000);
        assertThat(pending.attempts).as("the delays begin anew").isZero();
        pending.bar(second, 2_000);

        assertThat(pending.state()).isInstanceOfSatisfying(PendingRequest.State.Barring.class, barring -> {
            assertThat(barring.bar()).isEqualTo(second);
            assertThat(barring.deadlineNanos()).isEqualTo(1_000);
            assertThat(barring.given().change()).isEqualTo(Change.insert(OURS));
        });
        assertThat(requireNonNull(pending.unsettled()).change()).isEqualTo(second);
        assertThat(pending.isBarring()).isTrue();
    }

    @Test
    void theNewestAnswerAboutTheKeyCounts() {
        assertThat(pending.newest(KEY, null)).isNull();
        assertThat(pending.newest(KEY, observed(1, 5))).isEqualTo(observed(1, 5));

        pending.observed(KEY, observed(2, 10));

        assertThat(pending.newest(KEY, null)).as("evicted from the cache").isEqualTo(observed(2, 10));
        assertThat(pending.newest(KEY, observed(1, 9))).isEqualTo(observed(2, 10));
        assertThat(pending.newest(KEY, observed(3, 11))).isEqualTo(observed(3, 11));
    }

    @Test
    void theAnswerAboutTheAnchorIsKeptBesideThatAboutTheKey() {
        pending.observed(KEY, observed(2, 10));
        pending.observed(ANCHOR, observed(7, 12));

        assertThat(pending.newest(ANCHOR, null)).isEqualTo(observed(7, 12));
        assertThat(pending.newest(KEY, null)).isEqualTo(observed(2, 10));
        assertThat(pending.newest(Key.ofAnchor(Holder.of("other")), null)).isNull();
    }

    @Test
    void anAnchorThatWasNotReadIsUnknown() {
        pending.observed(KEY, observed(2, 10));

        assertThat(pending.newest(ANCHOR, null)).isNull();
    }

    @Test
    void aGrantOfAnotherCallIsNotReleased() {
        pending.decided(Change.replace(OURS.version(), OURS.withVersion(version(8))), OURS);

        assertThat(pending.isFound()).isTrue();
        assertThat(pending.mayRelease()).isFalse();
    }

    @Test
    void anOwnGrantIsReleasedUnlessItWasDelivered() {
        send();
        assertThat(pending.isFound()).isFalse();
        assertThat(pending.mayRelease()).isTrue();

        assertThat(writes.deliver()).isTrue();
        assertThat(writes.deliver()).as("only once").isFalse();

        assertThat(pending.mayRelease()).isFalse();
    }

    @Test
    void theOwnGrantOfAnEarlierAttemptIsNotThatOfAnotherCall() {
        writes.add(version(1)); // The beat of the grant.
        pending.decided(Change.replace(OURS.version(), OURS.withVersion(version(8))), OURS);

        assertThat(pending.isFound()).isFalse();
    }

    @Test
    void theHighestFloorCounts() {
        pending.raiseFloor(Fence.of(5));
        pending.raiseFloor(Fence.of(3));
        assertThat(pending.floor()).isEqualTo(Fence.of(5));
        pending.raiseFloor(Fence.of(9));
        assertThat(pending.floor()).isEqualTo(Fence.of(9));
    }

    @Test
    void onlyNewGrantsAreNotUrgent() {
        assertThat(pending.isUrgent()).isFalse();
        assertThat(pending(new LeaseRequest.Release(acquire(1).token())).isUrgent())
                .isTrue();
    }
}
