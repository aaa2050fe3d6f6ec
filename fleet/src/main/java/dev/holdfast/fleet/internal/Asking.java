package dev.holdfast.fleet.internal;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.internal.Futures;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Asks for units under a worker's anchor, so many at a time. Confined to the worker's {@link Serial}. */
final class Asking {
    /** Far below the queues of a client, and more than any store takes at once. */
    private static final int MOST = 1000;

    /** Waiting for a unit is renewed now and then only so that no wait is without end. */
    private static final Duration ROUND = Duration.ofMinutes(1);

    private final Setup setup;
    private final Post post;
    private final Consumer<String> ready;
    private final Set<String> heldUp = new LinkedHashSet<>();
    private int underWay;

    /** @param ready called with the next unit that may be asked for */
    Asking(Setup setup, Post post, Consumer<String> ready) {
        this.setup = setup;
        this.post = post;
        this.ready = ready;
    }

    /** Whether there is room for one more; if not, {@code ready} is called when there is. */
    boolean mayAsk(String unit) {
        if (underWay < MOST) {
            return true;
        }
        heldUp.add(unit);
        return false;
    }

    CompletionStage<AcquireResult> ask(String unit, Anchor anchor) {
        AcquireOptions options = AcquireOptions.defaults().under(anchor).holder(setup.worker());
        underWay++;
        CompletableFuture<AcquireResult> asked =
                Attempt.of(() -> setup.async().acquire(setup.names().unit(unit), options, ROUND));
        Futures.whenDone(asked, (result, error) -> post.run(this::answered));
        return asked;
    }

    private void answered() {
        underWay--;
        Iterator<String> waiting = heldUp.iterator();
        if (waiting.hasNext()) {
            String next = waiting.next();
            waiting.remove();
            ready.accept(next);
        }
    }
}
