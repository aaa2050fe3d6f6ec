package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Relay;
import dev.holdfast.RelayingLeases;
import dev.holdfast.Token;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of leases for remote holders, through two clients that share a store like two servers. */
class RelayTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Term TERM = Term.ofMillis(30_000);
    private static final Token TOKEN = Token.of(new UUID(1, 1));
    private static final Token OTHER = Token.of(new UUID(1, 2));

    private final ManualClock runtime = new ManualClock();
    private final MemoryStore store = new MemoryStore(runtime);
    private final RelayingLeases here = open();
    private final RelayingLeases there = open();

    private RelayingLeases open() {
        return (RelayingLeases) Holdfast.open(
                store, LeasesOptions.builder().holder("server").runtime(runtime).build());
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        runtime.close();
    }

    private static Relay.Ask ask(Token token, Relay.@Nullable AnchorProof under) {
        return new Relay.Ask(token, Holder.of("elsewhere"), TERM, AttributePatch.NONE, under);
    }

    private static CompletableFuture<Relay.Outcome> ask(RelayingLeases at, Token token, Duration wait) {
        return at.relay().grant(KEY, ask(token, null), wait).toCompletableFuture();
    }

    private static Entry granted(CompletionStage<Relay.Outcome> response) {
        return ((Relay.Granted) response.toCompletableFuture().join()).entry();
    }

    private boolean isHeld() {
        return there.get(KEY).orElseThrow().isHeld();
    }

    @Test
    void theSameTokenIsGrantedOnceAcrossServers() {
        Entry first = granted(ask(here, TOKEN, Duration.ZERO));
        Entry again = granted(ask(there, TOKEN, Duration.ZERO));

        assertThat(again.fence()).isEqualTo(first.fence());
        assertThat(ask(there, OTHER, Duration.ZERO).join()).isInstanceOf(Relay.Held.class);
    }

    @Test
    void anUndeliveredGrantIsReleased() {
        Entry undelivered = granted(ask(here, TOKEN, Duration.ZERO));

        here.relay()
                .giveBack(new Relay.Granted(undelivered))
                .toCompletableFuture()
                .join();

        assertThat(isHeld()).isFalse();
    }

    @Test
    void aGrantRequestedAgainElsewhereIsNotReleased() {
        Entry undelivered = granted(ask(here, TOKEN, Duration.ZERO));
        Entry delivered = granted(ask(there, TOKEN, Duration.ZERO));

        here.relay()
                .giveBack(new Relay.Granted(undelivered))
                .toCompletableFuture()
                .join();

        assertThat(isHeld()).isTrue();
        assertThat(there.get(KEY).orElseThrow().fence()).isEqualTo(delivered.fence());
    }

    @Test
    void aGrantThatAnotherClientDeliveredIsNotReleasedByALateRequest() {
        // The holder sent a request here, received no response, and was granted the key there. Then the first request
        // is decided.
        granted(ask(there, TOKEN, Duration.ZERO));
        CompletableFuture<Relay.Outcome> late = ask(here, TOKEN, Duration.ZERO);

        here.relay().giveBack((Relay.Granted) late.join()).toCompletableFuture().join();

        assertThat(isHeld()).isTrue();
    }

    @Test
    void anAbandonedRequestDoesNotReleaseAGrantThatAnotherClientDelivered() {
        FaultyStore slow = FaultyStore.around(store);
        RelayingLeases server = (RelayingLeases) Holdfast.open(
                slow, LeasesOptions.builder().holder("server").runtime(runtime).build());
        slow.next(StoreFault.FAIL);
        CompletableFuture<Relay.Outcome> abandoned = ask(server, TOKEN, Duration.ZERO);
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
        CompletableFuture<Relay.Outcome> waiting = ask(here, OTHER, Duration.ofMinutes(1));
        assertThat(waiting).isNotDone();

        waiting.cancel(false);
        here.release(KEY, TOKEN);

        assertThat(isHeld()).isFalse();
        assertThat(there.get(KEY).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void aHolderThatRequestsAgainBehindWaitersReceivesItsOwnGrant() {
        Entry first = granted(ask(here, TOKEN, Duration.ZERO));
        CompletableFuture<Relay.Outcome> waiting = ask(here, OTHER, Duration.ofMinutes(1));

        Entry again = granted(ask(here, TOKEN, Duration.ofMinutes(1)));

        assertThat(again.fence()).isEqualTo(first.fence());
        assertThat(waiting).isNotDone();
    }

    @Test
    void aLeaseUnderAnAnchorNeedsTheAnchorsToken() {
        Key anchor = Key.ofAnchor(Holder.of("elsewhere"));
        granted(here.relay().grant(anchor, ask(TOKEN, null), Duration.ZERO));

        Entry child =
                granted(there.relay().grant(KEY, ask(OTHER, new Relay.AnchorProof(anchor, TOKEN)), Duration.ZERO));

        assertThat(child.heldThrough()).isNotNull();
        assertThatThrownBy(() -> there.relay()
                        .grant(Key.of("b"), ask(OTHER, new Relay.AnchorProof(anchor, OTHER)), Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThat(there.get(Key.of("b"))).isEmpty();
    }

    @Test
    void anAnchorIsGrantedOnlyToTheHolderOfItsName() {
        Key another = Key.ofAnchor(Holder.of("another"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> here.relay().grant(another, ask(TOKEN, null), Duration.ZERO))
                .withMessageStartingWith("namespace: ");
    }

    @Test
    void aTermCanBeChangedByARenewal() {
        granted(ask(here, TOKEN, Duration.ZERO));

        Entry renewed = there.relay()
                .renew(KEY, TOKEN, Term.ofMillis(60_000), AttributePatch.putting("n", 1))
                .toCompletableFuture()
                .join();

        assertThat(renewed.grant()).isNotNull();
        assertThat(there.get(KEY).orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(59));
        assertThat(renewed.attributes().names()).containsExactly("n");
    }
}
