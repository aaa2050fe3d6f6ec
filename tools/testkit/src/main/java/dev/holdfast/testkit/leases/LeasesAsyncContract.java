package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreFeature;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests of the asynchronous forms, and of blocking calls in their callbacks. */
interface LeasesAsyncContract extends LeasesSteps {
    @Test
    default void asynchronousFormsFailWithTheExceptionsOfTheBlockingForms() {
        var unknown = unknownToken();
        var async = ann().async();

        assertLost(async.renew(KEY, unknown, RenewOptions.defaults()));
        if (has(StoreFeature.DONE)) {
            assertLost(async.done(KEY, unknown, AttributePatch.NONE));
        }
        if (has(StoreFeature.ATTRIBUTES)) {
            assertLost(async.update(KEY, unknown, AttributePatch.NONE));
        }
        assertThat(soon(async.release(KEY, unknown))).isFalse();
    }

    @Test
    default void asynchronousFormsOfALeaseMatchTheBlockingForms() {
        needs(StoreFeature.ATTRIBUTES, StoreFeature.DONE);
        var lease = soon(ann().async().tryAcquire(KEY, unrenewed())).orThrow();

        soon(lease.renewAsync());
        soon(lease.updateAsync(AttributePatch.putting("x", 1)));
        soon(lease.doneAsync(AttributePatch.putting("y", 2)));
        assertThat(failureOf(lease.renewAsync())).isInstanceOf(IllegalStateException.class);
        assertThat(soon(lease.releaseAsync())).isFalse();

        assertThat(soon(bob().async().get(KEY)).orElseThrow().attributes().names())
                .containsExactly("x", "y");
    }

    @Test
    default void aLeaseIsNotHeldFromTheMomentReleaseOrDoneIsCalled() {
        var released = acquire(ann(), KEY);

        var release = released.releaseAsync();
        assertThat(released.isHeld()).isFalse();
        assertThat(soon(release)).isTrue();

        needs(StoreFeature.DONE);
        var finished = acquire(ann(), OTHER);
        var done = finished.doneAsync(AttributePatch.NONE);
        assertThat(finished.isHeld()).isFalse();
        soon(done);
    }

    @Test
    default void blockingCallsInsideACallbackAreRefusedAndHaveNoEffect() {
        var before = acquireAndRenew(ann());
        var client = bob();
        var winning = waitFor(client, aLongTime())
                .thenApply(AcquireResult::orThrow)
                .thenApply(lease -> new WonLease(lease, refusalsOfAll(client, lease)));
        assertThat(winning).isNotDone();

        before.release();

        WonLease won = soon(winning);
        assertThat(won.refusals()).isNotEmpty().allSatisfy(LeasesAsyncContract::assertRefusedInsideACallback);
        assertThat(won.lease().isHeld()).isTrue();
        var status = status(ann());
        assertThat(status.isHeld()).isTrue();
        assertThat(status.fence()).isEqualTo(fenceOf(won.lease()));
        assertThat(status.attributes()).isEqualTo(Attributes.NONE);
        assertThat(ann().get(OTHER)).isEmpty();
        assertThat(acquire(client, OTHER).isHeld()).as("the client is open").isTrue();
    }

    /** A granted lease, and the exceptions of the blocking calls in the callback of its grant. */
    record WonLease(Lease lease, List<Throwable> refusals) {}

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
    default void aBlockingCallInsideTheCallbackOfATimedOutWaitIsRefusedAndHasNoEffect() {
        acquireAndRenew(ann());
        var client = bob();
        Duration wait = term().dividedBy(2);
        var thrown =
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
