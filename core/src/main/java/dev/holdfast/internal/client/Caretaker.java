package dev.holdfast.internal.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up now and then, in one of all the clients that share a store: whoever gets a certain lease does it, and lets
 * that lease run out, so that nobody does it again before the time.
 */
final class Caretaker {
    /** Short-lived clients have no time for this. */
    static final Duration FIRST = Duration.ofMinutes(10);

    static final Duration INTERVAL = Duration.ofHours(1);

    static final Key TURN = Key.of(Key.RESERVED_PREFIX + "clean-up", "turn");

    private static final Logger log = LoggerFactory.getLogger(CleanUpOptions.class);

    private final Engine engine;
    private final Holder self;
    private final Supplier<CompletableFuture<Long>> sweep;
    private Runtime.Timer timer;
    private boolean stopped;

    /** @param sweep does what there is to do, in small bites */
    Caretaker(Engine engine, Holder self, Supplier<CompletableFuture<Long>> sweep) {
        this.engine = engine;
        this.self = self;
        this.sweep = sweep;
        this.timer = engine.runtime().schedule(FIRST, this::round);
    }

    private void round() {
        Request.Acquire turn = new Request.Acquire(
                Token.of(engine.runtime().randomId()), self, Term.of(INTERVAL), AttributePatch.NONE, null);
        CompletableFuture<Long> swept = Futures.contain(() -> engine.submit(TURN, turn))
                .thenCompose(answer -> answer instanceof Answer.Applied ? sweep.get() : none());
        Futures.whenDone(swept, (removed, trouble) -> {
            if (trouble != null) {
                log.debug("clean-up failed; trying again in {}", INTERVAL, trouble);
            } else {
                log.debug("{} entries were removed that had been idle for long", removed);
            }
            again();
        });
    }

    private static CompletableFuture<Long> none() {
        return CompletableFuture.completedFuture(0L);
    }

    private synchronized void again() {
        if (!stopped) {
            timer = engine.runtime().schedule(INTERVAL, this::round);
        }
    }

    synchronized void stop() {
        stopped = true;
        timer.cancel();
    }
}
