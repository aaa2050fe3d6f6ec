package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.internal.CallbackThread;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.internal.rules.ObservedEntry;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds out what an operation does next: send a change, look at a key, evict an anchor, or give its answer. */
final class RequestDecider {
    private final RequestPipeline requestPipeline;
    private final OutcomeHandler outcomeHandler;

    RequestDecider(RequestPipeline requestPipeline, OutcomeHandler outcomeHandler) {
        this.requestPipeline = requestPipeline;
        this.outcomeHandler = outcomeHandler;
    }

    /** The next thing to send for {@code pendingRequest}; null if there is none, then what to do instead is in {@code aside}. */
    @Nullable
    Change next(PendingRequest pendingRequest, List<Runnable> aside) {
        if (pendingRequest.future.isDone() && pendingRequest.bar == null) {
            if (!pendingRequest.doubtful) {
                return null;
            }
            outcomeHandler.bar(pendingRequest);
        }
        Change pending = pendingRequest.pending();
        if (pending != null) {
            return pending;
        }
        return decideSafely(pendingRequest, aside);
    }

    @SuppressWarnings("IllegalCatch") // Or one request would wedge its key, and all that are decided with it.
    private @Nullable Change decideSafely(PendingRequest pendingRequest, List<Runnable> aside) {
        try {
            return decide(pendingRequest, aside);
        } catch (IllegalArgumentException e) {
            // What the caller wants put on the key is, with what is there already, more than a key can hold.
            aside.add(() -> CallbackThread.run(() -> pendingRequest.future.completeExceptionally(e)));
        } catch (Throwable e) {
            aside.add(() -> outcomeHandler.undecidable(pendingRequest, e));
        }
        return null;
    }

    private @Nullable Change decide(PendingRequest pendingRequest, List<Runnable> aside) {
        long now = requestPipeline.nanos();
        CachedEntry cachedEntry = newest(pendingRequest.seen, requestPipeline.seen(pendingRequest.key));
        AnchorRef ref = anchorOf(cachedEntry, pendingRequest.request);
        CachedEntry anchorSeen = ref == null ? null : seenOf(ref, pendingRequest);
        ObservedEntry observedEntry = cachedEntry == null ? null : cachedEntry.at(now);
        ObservedEntry anchor = anchorSeen == null ? null : anchorSeen.at(now);
        Decision decision = requestPipeline
                .book()
                .rules()
                .decide(
                        pendingRequest.key,
                        pendingRequest.request,
                        observedEntry,
                        anchor,
                        requestPipeline.stamp(pendingRequest.floor));
        Key unsure = cachedEntry == null ? null : staleKey(pendingRequest, cachedEntry, ref, anchorSeen);
        if (unsure != null
                && decision instanceof Decision.Write
                && saysThatTheAnchorLives(pendingRequest, anchorSeen)) {
            aside.add(() -> look(pendingRequest, unsure));
        } else if (decision instanceof Decision.Write write) {
            pendingRequest.decided(write.change(), cachedEntry == null ? null : cachedEntry.entry());
            return write.change();
        } else if (decision instanceof Decision.Look look) {
            aside.add(() -> look(pendingRequest, look.key()));
        } else if (decision instanceof Decision.EvictFirst evict) {
            aside.add(() -> evictFirst(pendingRequest, evict.anchor()));
        } else {
            long asked = Objects.requireNonNull(cachedEntry).asked();
            aside.add(
                    unsure != null
                            ? () -> look(pendingRequest, unsure)
                            : () -> conclude(pendingRequest, decision, asked));
        }
        return null;
    }

    /** A write is checked against the version of its own key alone; so what it says of another must not be stale. */
    private static boolean saysThatTheAnchorLives(PendingRequest pendingRequest, @Nullable CachedEntry anchorSeen) {
        return pendingRequest.request instanceof LeaseRequest.Renew && anchorSeen != null;
    }

    /** What must be asked for anew before {@code pendingRequest} can be told no; null if nothing. */
    private @Nullable Key staleKey(
            PendingRequest pendingRequest,
            CachedEntry cachedEntry,
            @Nullable AnchorRef ref,
            @Nullable CachedEntry anchorSeen) {
        if (!requestPipeline.book().belief().mayRefuse(pendingRequest.begun, cachedEntry.asked())) {
            return pendingRequest.key;
        }
        boolean anchorStale = anchorSeen != null
                && !requestPipeline.book().belief().mayRefuse(pendingRequest.begun, anchorSeen.asked());
        return ref != null && anchorStale ? ref.key() : null;
    }

    /** The anchor that matters to a request: the one that the key is held through, or, to clean-up, last was. */
    private static @Nullable AnchorRef anchorOf(@Nullable CachedEntry cachedEntry, LeaseRequest leaseRequest) {
        Entry entry = cachedEntry == null ? null : cachedEntry.entry();
        if (entry == null || entry.grant() == null) {
            return null;
        }
        return leaseRequest instanceof LeaseRequest.CleanUp ? entry.grant().anchor() : entry.heldThrough();
    }

    private @Nullable CachedEntry seenOf(AnchorRef anchor, PendingRequest pendingRequest) {
        CachedEntry own = anchor.key().equals(pendingRequest.anchor) ? pendingRequest.anchorSeen : null;
        return newest(own, requestPipeline.seen(anchor.key()));
    }

    private static @Nullable CachedEntry newest(@Nullable CachedEntry a, @Nullable CachedEntry b) {
        return a == null || (b != null && b.asked() >= a.asked()) ? b : a;
    }

    private void conclude(PendingRequest pendingRequest, Decision decision, long asked) {
        if (pendingRequest.uncertain
                && pendingRequest.request instanceof LeaseRequest.Done
                && decision instanceof Decision.Refusal) {
            outcomeHandler.unsure(pendingRequest); // It may have been done, and reopened since.
            return;
        }
        Answer answer = decision instanceof Decision.Refusal refusal
                ? new Answer.Refused(refusal, asked, requestPipeline.nanos(), pendingRequest.uncertain)
                : new Answer.Unneeded(((Decision.Already) decision).entry(), pendingRequest.uncertain);
        CallbackThread.run(() -> outcomeHandler.complete(pendingRequest, answer));
    }

    private void look(PendingRequest pendingRequest, Key key) {
        Futures.whenDone(requestPipeline.reader().look(key), (cachedEntry, error) -> {
            if (cachedEntry == null) {
                outcomeHandler.inTrouble(pendingRequest, StoreFailures.of(error));
                return;
            }
            if (key.equals(pendingRequest.key)) {
                pendingRequest.seen = cachedEntry;
            } else {
                pendingRequest.anchorSeen = cachedEntry;
                pendingRequest.anchor = key;
            }
            requestPipeline.resume(pendingRequest);
        });
    }

    private void evictFirst(PendingRequest pendingRequest, Key anchor) {
        Futures.whenDone(
                requestPipeline.submit(anchor, new LeaseRequest.EvictSilent(), pendingRequest.deadlineNanos),
                (answer, error) -> {
                    if (answer == null) {
                        outcomeHandler.inTrouble(pendingRequest, StoreFailures.of(error));
                        return;
                    }
                    if (answer instanceof Answer.Applied) {
                        requestPipeline.listener().onEvicted(anchor, "silent for longer than its term");
                    }
                    requestPipeline.resume(pendingRequest);
                });
    }
}
