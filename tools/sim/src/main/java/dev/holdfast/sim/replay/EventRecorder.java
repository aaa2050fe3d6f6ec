package dev.holdfast.sim.replay;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.sim.check.InvariantChecker;
import dev.holdfast.sim.check.PossibleHolder;
import dev.holdfast.sim.check.SimulatedCall;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.check.UnitWork;
import dev.holdfast.sim.replay.RecordedStep.StepKind;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A recorder of the events that checkers receive: calls, changes of the store, and terms. It checks nothing. */
final class EventRecorder extends InvariantChecker {
    private final RunLog log;
    private final EventWords words;
    private final TermRecorder terms;
    /** The state that each key has in the store now. */
    private final Map<Key, RecordedSpan> states = new HashMap<>();

    private String writer = "a transaction";

    EventRecorder(RunLog log, EventWords words, TermRecorder terms) {
        this.log = log;
        this.words = words;
        this.terms = terms;
    }

    @Override
    public void writing(@Nullable SimProcess process) {
        writer = process == null ? "a transaction" : process.name();
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        log.step(RunLog.STORE, StepKind.STORE, List.of(key.toString()), words.change(writer, key, before, after));
        RecordedSpan now = states.remove(key);
        if (after == null || after.state() == LeaseState.FREE) {
            end(now, before);
            return;
        }
        if (now != null && before != null && before.state() == after.state() && isSameGrant(before, after)) {
            now.renewals.add(nowNanos());
            states.put(key, now);
            return;
        }
        end(now, before);
        String holder = after.state() == LeaseState.DONE || after.grant() == null
                ? "done"
                : after.grant().holder() + ", fence " + after.fence();
        RecordedSpan next = new RecordedSpan(RunLog.STORE, key.toString(), holder, nowNanos(), Long.MAX_VALUE);
        states.put(key, next);
        log.stored(next);
    }

    private void end(@Nullable RecordedSpan span, @Nullable Entry before) {
        if (span != null) {
            span.end(nowNanos(), before == null ? "" : before.state().name().toLowerCase(Locale.ROOT));
        }
    }

    private static boolean isSameGrant(Entry before, Entry after) {
        return before.grant() != null
                && after.grant() != null
                && before.isOf(after.grant().token());
    }

    @Override
    public void granted(PossibleHolder holder) {
        terms.granted(holder);
    }

    @Override
    public void worked(UnitWork work) {
        terms.worked(work);
    }

    @Override
    public void stopped(UnitWork work) {
        terms.sample(false);
    }

    @Override
    public void renewed() {
        terms.sample(true);
    }

    @Override
    public void gaveUp(SimulatedHolding holding) {
        terms.gaveUp(holding);
    }

    @Override
    public void tick() {
        terms.sample(false);
    }

    @Override
    public void evicting(Key key) {
        log.step(
                RunLog.STORE, StepKind.FAULT, List.of(key.toString()), "An operator evicts the holder of " + key + ".");
    }

    @Override
    public void began(SimulatedCall call) {
        step(call, call.process().name() + " calls " + name(call) + ".");
    }

    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        step(call, name(call) + " of " + call.process().name() + " returns: " + outcome(result) + ".");
    }

    private static String outcome(AcquireResult result) {
        if (result instanceof AcquireResult.Granted granted) {
            return "granted with fence " + granted.lease().fence();
        } else if (result instanceof AcquireResult.HeldByAnother held) {
            return "held by " + held.holder() + " with fence " + held.fence();
        }
        return "done already";
    }

    @Override
    public void acknowledged(SimulatedCall call) {
        step(call, name(call) + " of " + call.process().name() + " has succeeded.");
    }

    @Override
    public void ended(SimulatedCall call) {
        step(call, name(call) + " of " + call.process().name() + " has returned.");
    }

    @Override
    public void failed(SimulatedCall call, Effect effect) {
        String known = effect == Effect.NOT_APPLIED ? "it was not applied" : "its outcome is unknown";
        step(call, name(call) + " of " + call.process().name() + " fails: " + known + ".");
    }

    @Override
    public void healed() {
        log.step(RunLog.STORE, StepKind.FAULT, List.of(), "All faults are over.");
    }

    private static String name(SimulatedCall call) {
        return call.name() + " #" + call.id() + " on " + call.key();
    }

    private void step(SimulatedCall call, String caption) {
        log.step(call.process().name(), StepKind.CALL, List.of(call.key().toString()), caption);
    }
}
