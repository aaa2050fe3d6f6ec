package dev.holdfast.fleet.internal;

import dev.holdfast.internal.Futures;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again: one look at a time, right away when asked to, else after a while that differs a little each time,
 * so that workers do not all look at one moment. Confined to the worker's {@link Serial}.
 */
final class Poller {
    private static final double SPREAD = 0.2;

    private final Post post;
    private final Supplier<CompletionStage<Void>> look;
    private Runtime.@Nullable Timer next;
    private boolean looking;
    private boolean again;
    private boolean stopped;

    /** @param look begins a look; done when all that follows from it is */
    Poller(Post post, Supplier<CompletionStage<Void>> look) {
        this.post = post;
        this.look = look;
    }

    /** Looks now, or right after the look under way. */
    void now() {
        if (looking) {
            again = true;
        } else if (!stopped) {
            looking = true;
            again = false;
            if (next != null) {
                next.cancel();
            }
            Futures.whenDone(look.get(), (nothing, error) -> post.run(this::looked));
        }
    }

    private void looked() {
        looking = false;
        if (stopped) {
            return;
        }
        if (again) {
            now();
            return;
        }
        Duration poll = post.options().poll();
        double factor = 1 - SPREAD / 2 + SPREAD * post.runtime().random();
        next = post.schedule(Duration.ofNanos((long) (poll.toNanos() * factor)), this::now);
    }

    void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
    }
}
