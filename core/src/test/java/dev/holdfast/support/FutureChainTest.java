package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FutureChainTest {
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private final CompletableFuture<String> second = new CompletableFuture<>();
    private final List<String> released = new ArrayList<>();
    private final CompletableFuture<String> chained = Futures.chain(first, value -> second, released::add);

    @Test
    void cancellingItCancelsTheFirst() {
        chained.cancel(false);

        assertThat(first).isCancelled();
        assertThat(released).isEmpty();
    }

    @Test
    void cancellingItCancelsTheSecond() {
        first.complete("one");

        chained.cancel(false);

        assertThat(second).isCancelled();
        assertThat(released).isEmpty();
    }

    @Test
    void aResultThatCannotBeDeliveredIsReleased() {
        chained.completeExceptionally(new IllegalStateException("the caller has left"));
        second.complete("granted");
        first.complete("found");

        assertThat(released).containsExactly("granted");
    }
}
