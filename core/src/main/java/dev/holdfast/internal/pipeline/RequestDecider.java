package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision about the next step of a request. It applies the rules to the newest known entries of the key and of the
 * key's anchor. It sends nothing and waits for nothing.
 */
record RequestDecider(RuleSet rules, EntryCache cache, PipelineClock clock, WriteConclusions conclusions) {

    @SuppressWarnings("IllegalCatch") // Otherwise one request would block its key and its whole batch.
    NextStep next(PendingRequest pending) {
        try {
            return unsettledOrNext(pending);
        } catch (IllegalArgumentException e) {
            // The attributes of the request and of the key together exceed the limit of a key.
            return new NextStep.Fail(e);
        } catch (Throwable e) {
            return new NextStep.ReportBug(e);
        }
    }

    private NextStep unsettledOrNext(PendingRequest pending) {
        boolean callerHasLeft = pending.future.isDone();
        if (callerHasLeft && pending.isInDoubt() && !pending.isBarring()) {
            conclusions.bar(pending);
        }
        NextStep unsettled = pending.unsettled();
        if (unsettled != null) {
            return unsettled;
        }
        return callerHasLeft ? new NextStep.Drop() : decide(pending);
    }

    private NextStep decide(PendingRequest pending) {
        ObservedEntry seen = pending.newest(pending.key, cache.get(pending.key));
        AnchorRef ref = seen == null || seen.entry() == null ? null : pending.request.anchorOf(seen.entry());
        ObservedEntry anchor = ref == null ? null : pending.newest(ref.key(), cache.get(ref.key()));
        Decision decision =
                rules.decisions().decide(pending.key, pending.request, seen, anchor, clock.stamp(pending.floor()));
        Key stale = seen == null ? null : staleKey(pending, seen, ref, anchor);
        if (decision instanceof Decision.Write write) {
            if (stale != null && anchor != null && pending.request.needsLivingAnchor()) {
                return new NextStep.Read(stale);
            }
            pending.decided(write.change(), seen == null ? null : seen.entry());
            return new NextStep.Send(write.change());
        }
        if (decision instanceof Decision.ReadFirst first) {
            return new NextStep.Read(first.key());
        }
        if (decision instanceof Decision.EvictFirst evict) {
            return new NextStep.EvictAnchor(evict.anchor());
        }
        return stale == null
                ? conclude(pending, decision, Objects.requireNonNull(seen).asked())
                : new NextStep.Read(stale);
    }

    private NextStep conclude(PendingRequest pending, Decision decision, long asked) {
        if (decision instanceof Decision.Refusal refusal) {
            if (pending.isUncertain() && pending.request.canBeUndone()) {
                return conclusions.fail(pending, WriteConclusions.givenUp(), StoreException.Effect.UNKNOWN);
            }
            return new NextStep.Respond(new Answer.Refused(refusal, asked, clock.nanos(), pending.isUncertain()));
        }
        return new NextStep.Respond(new Answer.Unneeded(((Decision.Already) decision).entry(), pending.isUncertain()));
    }

    /** The key that must be read again before the request can be refused; null if there is none. */
    private @Nullable Key staleKey(
            PendingRequest pending, ObservedEntry seen, @Nullable AnchorRef ref, @Nullable ObservedEntry anchor) {
        if (!rules.validity().mayRefuse(pending.begun, seen.asked())) {
            return pending.key;
        }
        boolean anchorStale = anchor != null && !rules.validity().mayRefuse(pending.begun, anchor.asked());
        return ref != null && anchorStale ? ref.key() : null;
    }
}
