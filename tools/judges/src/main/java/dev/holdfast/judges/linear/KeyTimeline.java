package dev.holdfast.judges.linear;

import dev.holdfast.judges.CallOp;
import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.HistoryLine;
import dev.holdfast.judges.ListedEntry;
import dev.holdfast.judges.linear.LeaseEntry.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one key, translated into steps of the model.
 *
 * <p>A call with an unknown outcome may take effect at any time after its start, or never. A call that failed has no
 * effect. A read without an answer says nothing.
 *
 * <p>The library repeats a call whose first answer was lost. So a call can take effect twice, if another client undid
 * the first effect before the repetition: an acquire by an eviction or by expiry, a release by the next grant, a done by
 * a reopen. Such an earlier effect is a step of its own, which may have happened. If it was a grant and the repetition
 * was refused, it may also have vanished, because a server releases a grant that it cannot deliver. An acquire that
 * waits may also be granted just after its caller was answered. The library releases that grant.
 *
 * <p>A holder that counts its own term may report a lease as lost that the store still keeps: after its term, or earlier
 * if its wall clock jumped forward. In both cases {@code lost} proves nothing.
 */
public final class KeyTimeline {
    /** The term of a token, as its holder counts it. */
    private record HolderTerm(long start, long term) {
        HolderTerm atMost(long other) {
            return other < term ? new HolderTerm(start, other) : this;
        }
    }

    private final String key;
    private final List<HistoryCall> calls;
    private final long firstClockFault;
    private final Map<String, HolderTerm> terms = new HashMap<>();
    private final Map<String, Integer> uses = new HashMap<>();

    /**
     * @param calls all calls that concern {@code key}, lists among them
     * @param firstClockFault when the first wall clock was changed; the largest number if none was
     */
    public KeyTimeline(String key, List<HistoryCall> calls, long firstClockFault) {
        this.key = key;
        this.calls = List.copyOf(calls);
        this.firstClockFault = firstClockFault;
        calls.forEach(call -> uses.merge(call.token(), 1, Integer::sum));
        calls.stream()
                .filter(call -> call.op() == CallOp.ACQUIRE)
                .forEach(call -> terms.putIfAbsent(call.token(), new HolderTerm(call.start(), term(call))));
        calls.stream()
                .filter(call -> call.op() == CallOp.RENEW)
                .forEach(call -> terms.computeIfPresent(call.token(), (token, known) -> known.atMost(term(call))));
    }

    /** The timeline as known at {@code stamp}: later calls and answers are missing. */
    KeyTimeline asOf(long stamp) {
        List<HistoryCall> known = calls.stream()
                .filter(call -> call.start() <= stamp)
                .map(call -> call.asOf(stamp))
                .toList();
        return new KeyTimeline(key, known, firstClockFault);
    }

    public String key() {
        return key;
    }

    List<HistoryCall> calls() {
        return calls;
    }

    /** The steps of the model, in the order of their starts. */
    List<LeaseOp> steps() {
        List<LeaseOp> steps = new ArrayList<>();
        for (HistoryCall call : calls) {
            if (call.isUnknown()) {
                addUnknown(call, steps);
            } else if (!call.out().equals(CallOp.FAILED)) {
                LeaseEffect effect = answered(call);
                if (effect != null) {
                    steps.add(LeaseOp.certain(call, effect));
                }
            }
            addEarlier(call, steps);
        }
        steps.sort((left, right) -> Long.compare(left.start(), right.start()));
        return steps;
    }

    private static long term(HistoryCall call) {
        return call.call().number("term");
    }

    private void addUnknown(HistoryCall call, List<LeaseOp> steps) {
        String token = call.token();
        LeaseEffect effect = switch (call.op()) {
            case ACQUIRE -> LeaseEffects.grantedUnseen(token, term(call), true);
            case RENEW -> LeaseEffects.renewed(token, term(call));
            case RELEASE -> LeaseEffects.releasedUnseen(token);
            case DONE -> LeaseEffects.finished(token);
            case UPDATE -> LeaseEffects.updated(token, call.call().field("value"));
            case REOPEN -> LeaseEffects.reopened();
            case EVICT -> LeaseEffects.evicted();
            case GET, LIST, BELIEVE, WRITE, WORK -> null;
        };
        boolean onlyProlongs = call.op() == CallOp.RENEW && isTermOfGrant(call);
        if (isLoner(call)) {
            LeaseOp grant = LeaseOp.perhaps(call, LeaseEffects.grantedToLoner(term(call)), "acquire " + term(call));
            steps.addAll(canBeUndone(call) ? List.of(grant, grant) : List.of(grant));
        } else if (call.op() == CallOp.REOPEN || call.op() == CallOp.EVICT) {
            steps.add(LeaseOp.perhaps(
                    call, Objects.requireNonNull(effect), call.op().name()));
        } else if (effect != null && !onlyProlongs) {
            steps.add(LeaseOp.perhaps(call, effect));
        }
    }

    /** Whether this is an acquire with an unknown outcome, whose token no other call uses. */
    private boolean isLoner(HistoryCall call) {
        return call.op() == CallOp.ACQUIRE && call.isUnknown() && uses.getOrDefault(call.token(), 0) == 1;
    }

    /** A renewal that may have happened matters only if its term is another than before: it could expire earlier. */
    private boolean isTermOfGrant(HistoryCall renewal) {
        return calls.stream()
                .filter(call -> call.op() == CallOp.ACQUIRE || call.op() == CallOp.RENEW)
                .filter(call -> call.token().equals(renewal.token()))
                .allMatch(call -> term(call) == term(renewal));
    }

    private @Nullable LeaseEffect answered(HistoryCall call) {
        String out = call.out();
        String token = call.token();
        boolean ok = out.equals("ok");
        boolean sure = ok || provesLoss(call);
        return switch (call.op()) {
            case ACQUIRE -> acquired(call);
            case RENEW -> ok ? LeaseEffects.renewed(token, term(call)) : sure ? LeaseEffects.notHolding(token) : null;
            case RELEASE -> ok ? LeaseEffects.released(token) : sure ? LeaseEffects.notReleased(token) : null;
            case DONE -> ok ? LeaseEffects.finished(token) : sure ? LeaseEffects.notFinished(token) : null;
            case UPDATE ->
                ok
                        ? LeaseEffects.updated(token, call.call().field("value"))
                        : sure ? LeaseEffects.notHolding(token) : null;
            case REOPEN -> ok ? LeaseEffects.reopened() : LeaseEffects.notReopened();
            case EVICT -> ok ? LeaseEffects.evicted() : LeaseEffects.notEvicted();
            case GET -> read(call);
            case LIST -> listed(call);
            case BELIEVE ->
                out.equals("true") ? LeaseEffects.believed(call.call().number("fence")) : null;
            case WRITE, WORK -> null;
        };
    }

    private static LeaseEffect acquired(HistoryCall call) {
        Long fence = call.shownFence();
        return switch (call.out()) {
            case "granted" -> LeaseEffects.granted(call.token(), Objects.requireNonNull(fence), term(call));
            case "held" -> LeaseEffects.refusedAsHeld(call.token(), fence);
            default -> LeaseEffects.refusedAsDone(fence);
        };
    }

    private static LeaseEffect read(HistoryCall call) {
        HistoryLine answer = Objects.requireNonNull(call.answer());
        return call.out().equals("absent")
                ? LeaseEffects.absent()
                : LeaseEffects.read(Status.valueOf(answer.field("state")), call.shownFence(), answer.optional("value"));
    }

    private @Nullable LeaseEffect listed(HistoryCall call) {
        return ListedEntry.parse(Objects.requireNonNull(call.answer()).field("items")).stream()
                .filter(entry -> entry.key().equals(key))
                .findFirst()
                .map(entry -> LeaseEffects.read(Status.valueOf(entry.state()), entry.fence(), entry.value()))
                .orElse(null);
    }

    /** Whether only the store can have answered {@code lost}: the holder's own count was not over. */
    private boolean provesLoss(HistoryCall call) {
        HolderTerm counted = terms.get(call.token());
        return counted == null
                || (call.end() < counted.start + LeaseEffects.earliestExpiry(counted.term)
                        && call.end() < firstClockFault);
    }

    private void addEarlier(HistoryCall call, List<LeaseOp> steps) {
        String token = call.token();
        if (call.op() == CallOp.ACQUIRE && !call.out().equals(CallOp.FAILED) && !isLoner(call)) {
            LeaseEffect unseen = LeaseEffects.grantedUnseen(
                    token, term(call), waits(call) || !call.out().equals("granted"));
            if (waits(call) && (call.out().equals("held") || call.out().equals("done"))) {
                steps.add(LeaseOp.perhaps(call, unseen));
            } else if (canBeUndone(call)) {
                steps.add(LeaseOp.earlier(call, unseen));
            }
        } else if (call.is(CallOp.RELEASE, "lost")) {
            steps.add(LeaseOp.earlier(call, LeaseEffects.releasedUnseen(token)));
        } else if (call.is(CallOp.DONE, "lost")
                && overlapping(CallOp.REOPEN, call).findAny().isPresent()) {
            steps.add(LeaseOp.earlier(call, LeaseEffects.finished(token)));
        }
    }

    private static boolean waits(HistoryCall call) {
        String wait = call.call().optional("wait");
        return wait != null && !wait.equals("0");
    }

    /** Whether a grant by {@code acquire} can have ended before its answer. */
    private boolean canBeUndone(HistoryCall acquire) {
        boolean canExpire = acquire.end() - acquire.start() >= LeaseEffects.earliestExpiry(term(acquire));
        return waits(acquire)
                || canExpire
                || overlapping(CallOp.EVICT, acquire).findAny().isPresent();
    }

    private Stream<HistoryCall> overlapping(CallOp op, HistoryCall call) {
        return calls.stream()
                .filter(other -> other.op() == op && !other.out().equals(CallOp.FAILED))
                .filter(other -> other.start() <= call.end() && other.latestEffect() >= call.start());
    }
}
