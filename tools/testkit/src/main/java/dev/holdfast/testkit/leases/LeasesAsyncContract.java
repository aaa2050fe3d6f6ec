package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests of the asynchronous forms, and of blocking calls in their callbacks. */
abstract class LeasesAsyncContract extends LeasesCloseContract {
    private static final Key OTHER = Key.of("other");

    @Test
    void asynchronousFormsFailWithTheExceptionsOfTheBlockingForms() {
        Token unknown = Token.of(UUID.randomUUID());
        AsyncLeases async = ann().async();

        assertThat(failureOf(async.renew(KEY, unknown, RenewOptions.defaults()))).isInstanceOf(LeaseLostException.class);
        if (has(StoreFeature.DONE)) {
            assertThat(failureOf(async.done(KEY, unknown, AttributePatch.NONE))).isInstanceOf(LeaseLostException.class);
        }
        if (has(StoreFeature.ATTRIBUTES)) {
            assertThat(failureOf(async.update(KEY, unknown, AttributePatch.NONE)))
                    .isInstanceOf(LeaseLostException.class);
        }
        assertThat(soon(async.release(KEY, unknown))).isFalse();
    }

    @Test
    void asynchronousFormsOfALeaseMatchTheBlockingForms() {
        needs(StoreFeature.ATTRIBUTES, StoreFeature.DONE);
        Lease lease = soon(ann().async().tryAcquire(KEY, unrenewed())).orThrow();

        soon(lease.renewAsync());
        soon(lease.updateAsync(AttributePatch.putting("x", 1)));
        soon(lease.doneAsync(AttributePatch.putting("y", 2)));
        assertThat(failureOf(lease.renewAsync())).isInstanceOf(IllegalStateException.class);
        assertThat(soon(lease.releaseAsync())).isFalse();

        assertThat(soon(bob().async().get(KEY)).orElseThrow().attributes().names())
                .containsExactly("x", "y");
    }

    @Test
    void aLeaseIsNotHeldFromTheMomentReleaseOrDoneIsCalled() {
        Lease released = acquire(ann(), KEY);

        CompletionStage<Boolean> release = released.releaseAsync();
        assertThat(released.isHeld()).isFalse();
        assertThat(soon(release)).isTrue();

        needs(StoreFeature.DONE);
        Lease finished = acquire(ann(), Key.of("other"));
        CompletionStage<Void> done = finished.doneAsync(AttributePatch.NONE);
        assertThat(finished.isHeld()).isFalse();
        soon(done);
    }

    @Test
    void blockingCallsInsideACallbackAreRefusedAndHaveNoEffect() {
        Lease before = ann().tryAcquire(KEY, renewed()).orThrow();
        Leases client = bob();
        CompletableFuture<Won> winning = waitFor(client, aLongTime())
                .thenApply(AcquireResult::orThrow)
                .thenApply(lease -> new Won(lease, refusalsOfAll(client, lease)));
        assertThat(winning).isNotDone();

        before.release();

        Won won = soon(winning);
        assertThat(won.refusals()).isNotEmpty().allSatisfy(LeasesAsyncContract::assertRefusedInsideACallback);
        assertThat(won.lease().isHeld()).isTrue();
        LeaseStatus status = ann().get(KEY).orElseThrow();
        assertThat(status.isHeld()).isTrue();
        assertThat(status.fence()).isEqualTo(fenceOf(won.lease()));
        assertThat(status.attributes()).isEqualTo(Attributes.NONE);
        assertThat(ann().get(OTHER)).isEmpty();
        assertThat(acquire(client, OTHER).isHeld()).as("the client is open").isTrue();
    }

    /** A granted lease, and the exceptions of the blocking calls in the callback of its grant. */
    private record Won(Lease lease, List<Throwable> refusals) {}

    private List<Throwable> refusalsOfAll(Leases client, Lease lease) {
        List<ThrowingCallable> calls = List.of(
                () -> client.tryAcquire(OTHER, renewed()),
                () -> client.acquire(OTHER, renewed(), Duration.ZERO),
                () -> client.anchor("worker", term()),
                () -> client.update(KEY, lease.token(), AttributePatch.putting("x", 1)),
                () -> client.done(KEY, lease.token(), AttributePatch.NONE),
                () -> client.release(KEY, lease.token()),
                () -> client.evict(KEY, "it hangs"),
                () -> client.get(KEY),
                () -> client.list(LeaseFilter.all()).count(),
                () -> lease.update(AttributePatch.putting("x", 1)),
                () -> lease.renew(),
                () -> lease.done(),
                () -> lease.release(),
                () -> lease.close(),
                () -> client.close());
        return calls.stream().map(call -> catchThrowable(call)).toList();
    }

    @Test
    void aBlockingCallInsideTheCallbackOfATimedOutWaitIsRefusedAndHasNoEffect() {
        ann().tryAcquire(KEY, renewed()).orThrow();
        Leases client = bob();
        Duration wait = term().dividedBy(2);
        CompletableFuture<Throwable> thrown =
                waitFor(client, wait).thenApply(refused -> catchThrowable(() -> client.tryAcquire(OTHER, renewed())));
        assertThat(thrown).isNotDone();

        elapse(wait);

        assertRefusedInsideACallback(soon(thrown));
        assertThat(ann().get(OTHER)).isEmpty();
    }

    private static void assertRefusedInsideACallback(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a blocking call inside a callback");
    }
}
