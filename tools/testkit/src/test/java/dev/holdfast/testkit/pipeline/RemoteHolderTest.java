package dev.holdfast.testkit.pipeline;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.RenewOptions;
import dev.holdfast.Token;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of leases for remote holders, through two clients that share a store like two servers. */
class RemoteHolderTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Term TERM = Term.ofMillis(30_000);
    private static final Token TOKEN = Token.of(new UUID(1, 1));
    private static final Token OTHER = Token.of(new UUID(1, 2));

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore store = new MemoryStore(runtime);
    private final Leases here = open();
    private final Leases there = open();

    private Leases open() {
        return Holdfast.open(
                store,
                LeasesOptions.builder().holder("server").environment(runtime).build());
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        runtime.close();
    }

    private static CompletableFuture<Answer> ask(Leases at, Token token, Duration wait) {
        LeaseRequest.Acquire request =
                new LeaseRequest.Acquire(token, Holder.of("elsewhere"), TERM, AttributePatch.NONE, null);
        return LeaseService.of(at).acquire(KEY, request, wait.toNanos());
    }

    private static Answer.Applied granted(CompletableFuture<Answer> response) {
        return (Answer.Applied) response.join();
    }

    private static Fence fence(Answer.Applied granted) {
        return requireNonNull(granted.entry()).fence();
    }

    private boolean isHeld() {
        return there.get(KEY).orElseThrow().isHeld();
    }

    @Test
    void theSameTokenIsGrantedOnceAcrossServers() {
        Answer.Applied first = granted(ask(here, TOKEN, Duration.ZERO));
        Answer.Applied again = granted(ask(there, TOKEN, Duration.ZERO));

        assertThat(fence(again)).isEqualTo(fence(first));
        assertThat(ask(there, OTHER, Duration.ZERO).join()).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void anUndeliveredGrantIsReleased() {
        Answer.Applied undelivered = granted(ask(here, TOKEN, Duration.ZERO));

        LeaseService.of(here).releaseUndelivered(undelivered).join();

        assertThat(isHeld()).isFalse();
    }

    @Test
    void aGrantRequestedAgainElsewhereIsNotReleased() {
        Answer.Applied undelivered = granted(ask(here, TOKEN, Duration.ZERO));
        Answer.Applied delivered = granted(ask(there, TOKEN, Duration.ZERO));

        LeaseService.of(here).releaseUndelivered(undelivered).join();

        assertThat(isHeld()).isTrue();
        assertThat(there.get(KEY).orElseThrow().fence()).isEqualTo(fence(delivered));
    }

    @Test
    void aGrantThatAnotherClientDeliveredIsNotReleasedByALateRequest() {
        // The holder sent a request here, received no response, and was granted the key there. Then the first request
        // is decided.
        granted(ask(there, TOKEN, Duration.ZERO));
        CompletableFuture<Answer> late = ask(here, TOKEN, Duration.ZERO);

        LeaseService.of(here).releaseUndelivered(granted(late)).join();

        assertThat(isHeld()).isTrue();
    }

    @Test
    void anAbandonedRequestDoesNotReleaseAGrantThatAnotherClientDelivered() {
        FaultyStore slow = FaultyStore.around(store);
        Leases server = Holdfast.open(
                slow,
                LeasesOptions.builder().holder("server").environment(runtime).build());
        slow.next(StoreFault.FAIL);
        CompletableFuture<Answer> abandoned = ask(server, TOKEN, Duration.ZERO);
        granted(ask(there, TOKEN, Duration.ZERO));
        // The response arrives at the moment in which the caller cancels.
        slow.next(StoreFault.LOSE_ANSWER);
        runtime.advance(Duration.ofMillis(15));
        abandoned.cancel(false);
        runtime.advance(Duration.ofSeconds(5));

        assertThat(isHeld()).isTrue();
        server.close();
    }

    @Test
    void aGrantIsNotReleasedWhenItsServerCloses() {
        granted(ask(here, TOKEN, Duration.ZERO));

        here.close();

        assertThat(isHeld()).isTrue();
    }

    @Test
    void aCancelledWaiterIsNotGrantedTheKey() {
        granted(ask(here, TOKEN, Duration.ZERO));
        CompletableFuture<Answer> waiting = ask(here, OTHER, Duration.ofMinutes(1));
        assertThat(waiting).isNotDone();

        waiting.cancel(false);
        here.release(KEY, TOKEN);

        assertThat(isHeld()).isFalse();
        assertThat(there.get(KEY).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void aHolderThatRequestsAgainBehindWaitersReceivesItsOwnGrant() {
        Answer.Applied first = granted(ask(here, TOKEN, Duration.ZERO));
        CompletableFuture<Answer> waiting = ask(here, OTHER, Duration.ofMinutes(1));

        Answer.Applied again = granted(ask(here, TOKEN, Duration.ofMinutes(1)));

        assertThat(fence(again)).isEqualTo(fence(first));
        assertThat(waiting).isNotDone();
    }

    @Test
    void aTermCanBeChangedByARenewal() {
        granted(ask(here, TOKEN, Duration.ZERO));

        there.renew(
                KEY,
                TOKEN,
                RenewOptions.defaults().term(Duration.ofMinutes(1)).attributes(AttributePatch.putting("n", 1)));

        assertThat(there.get(KEY).orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(59));
        assertThat(there.get(KEY).orElseThrow().attributes().names()).containsExactly("n");
    }
}
