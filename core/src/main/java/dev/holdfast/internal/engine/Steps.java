package dev.holdfast.internal.engine;

import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.internal.rules.Sighting;
import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds out what an operation does next: send a change, look at a key, evict an anchor, or give its answer. */
final class Steps {
    private final Engine engine;
    private final Outcomes outcomes;

    Steps(Engine engine, Outcomes outcomes) {
        this.engine = engine;
        this.outcomes = outcomes;
    }

    /** The next thing to send for {@code operation}; null if there is none, then what to do instead is in {@code aside}. */
    @Nullable
    Change next(Operation operation, List<Runnable> aside) {
        if (operation.future.isDone() && operation.bar == null) {
            if (!operation.doubtful) {
                return null;
            }
            outcomes.bar(operation);
        }
        Change pending = operation.pending();
        if (pending != null) {
            return pending;
        }
        return decideSafely(operation, aside);
    }

    @SuppressWarnings("IllegalCatch") // Or one request would wedge its key, and all that are decided with it.
    private @Nullable Change decideSafely(Operation operation, List<Runnable> aside) {
        try {
            return decide(operation, aside);
        } catch (IllegalArgumentException e) {
            // What the caller wants put on the key is, with what is there already, more than a key can hold.
            aside.add(() -> Delivery.run(() -> operation.future.completeExceptionally(e)));
        } catch (Throwable e) {
            aside.add(() -> outcomes.undecidable(operation, e));
        }
        return null;
    }

    private @Nullable Change decide(Operation operation, List<Runnable> aside) {
        long now = engine.nanos();
        Seen seen = newest(operation.seen, engine.seen(operation.key));
        AnchorRef ref = anchorOf(seen, operation.request);
        Seen anchorSeen = ref == null ? null : seenOf(ref, operation);
        Sighting sighting = seen == null ? null : seen.at(now);
        Sighting anchor = anchorSeen == null ? null : anchorSeen.at(now);
        Decision decision = engine.book()
                .rules()
                .decide(operation.key, operation.request, sighting, anchor, engine.stamp(operation.floor));
        Key unsure = seen == null ? null : staleKey(operation, seen, ref, anchorSeen);
        if (unsure != null && decision instanceof Decision.Write && saysThatTheAnchorLives(operation, anchorSeen)) {
            aside.add(() -> look(operation, unsure));
        } else if (decision instanceof Decision.Write write) {
            operation.decided(write.change(), seen == null ? null : seen.entry());
            return write.change();
        } else if (decision instanceof Decision.Look look) {
            aside.add(() -> look(operation, look.key()));
        } else if (decision instanceof Decision.EvictFirst evict) {
            aside.add(() -> evictFirst(operation, evict.anchor()));
        } else {
            long asked = Objects.requireNonNull(seen).asked();
            aside.add(unsure != null ? () -> look(operation, unsure) : () -> conclude(operation, decision, asked));
        }
        return null;
    }

    /** A write is checked against the version of its own key alone; so what it says of another must not be stale. */
    private static boolean saysThatTheAnchorLives(Operation operation, @Nullable Seen anchorSeen) {
        return operation.request instanceof Request.Renew && anchorSeen != null;
    }

    /** What must be asked for anew before {@code operation} can be told no; null if nothing. */
    private @Nullable Key staleKey(Operation operation, Seen seen, @Nullable AnchorRef ref, @Nullable Seen anchorSeen) {
        if (!engine.book().belief().mayRefuse(operation.begun, seen.asked())) {
            return operation.key;
        }
        boolean anchorStale =
                anchorSeen != null && !engine.book().belief().mayRefuse(operation.begun, anchorSeen.asked());
        return ref != null && anchorStale ? ref.key() : null;
    }

    /** The anchor that matters to a request: the one that the key is held through, or, to clean-up, last was. */
    private static @Nullable AnchorRef anchorOf(@Nullable Seen seen, Request request) {
        Entry entry = seen == null ? null : seen.entry();
        if (entry == null || entry.grant() == null) {
            return null;
        }
        return request instanceof Request.CleanUp ? entry.grant().anchor() : entry.heldThrough();
    }

    private @Nullable Seen seenOf(AnchorRef anchor, Operation operation) {
        Seen own = anchor.key().equals(operation.anchor) ? operation.anchorSeen : null;
        return newest(own, engine.seen(anchor.key()));
    }

    private static @Nullable Seen newest(@Nullable Seen a, @Nullable Seen b) {
        return a == null || (b != null && b.asked() >= a.asked()) ? b : a;
    }

    private void conclude(Operation operation, Decision decision, long asked) {
        if (operation.uncertain && operation.request instanceof Request.Done && decision instanceof Decision.Refusal) {
            outcomes.unsure(operation); // It may have been done, and reopened since.
            return;
        }
        Answer answer = decision instanceof Decision.Refusal refusal
                ? new Answer.Refused(refusal, asked, engine.nanos(), operation.uncertain)
                : new Answer.Unneeded(((Decision.Already) decision).entry(), operation.uncertain);
        Delivery.run(() -> outcomes.complete(operation, answer));
    }

    private void look(Operation operation, Key key) {
        Futures.whenDone(engine.reader().look(key), (seen, error) -> {
            if (seen == null) {
                outcomes.inTrouble(operation, Failures.of(error));
                return;
            }
            if (key.equals(operation.key)) {
                operation.seen = seen;
            } else {
                operation.anchorSeen = seen;
                operation.anchor = key;
            }
            engine.resume(operation);
        });
    }

    private void evictFirst(Operation operation, Key anchor) {
        Futures.whenDone(engine.submit(anchor, new Request.EvictSilent(), operation.deadlineNanos), (answer, error) -> {
            if (answer == null) {
                outcomes.inTrouble(operation, Failures.of(error));
                return;
            }
            if (answer instanceof Answer.Applied) {
                engine.listener().onEvicted(anchor, "silent for longer than its term");
            }
            engine.resume(operation);
        });
    }
}
