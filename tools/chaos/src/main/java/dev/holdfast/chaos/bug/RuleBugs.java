package dev.holdfast.chaos.bug;

import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.SettlementRules;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.util.Objects;

/** Rules with one mistake each. */
final class RuleBugs {
    private RuleBugs() {}

    /** The holder relies on its lease for ever. */
    static RuleSet endlessTerms(Duration step) {
        return RuleSet.of(new ExpiryRules(step), new FenceRules(), new ValidityRules() {
            @Override
            public Duration elapsed(ClockReading from, ClockReading to) {
                return Duration.ZERO;
            }
        });
    }

    /** Other clients take the key when half of the term has passed. */
    static RuleSet earlyTakeover(Duration step) {
        ExpiryRules impatient = new ExpiryRules(step) {
            @Override
            protected Duration length(Entry entry, ObservedEntry seen, ClockReading now) {
                Duration term = Objects.requireNonNull(entry.grant()).term().duration();
                return super.length(entry, seen, now).plus(term.dividedBy(2));
            }
        };
        return RuleSet.of(impatient, new FenceRules(), new ValidityRules());
    }

    /** A grant repeats the fence of the one before. */
    static RuleSet repeatedFences(Duration step) {
        FenceRules repeating = new FenceRules() {
            @Override
            protected Fence next(Fence last, WriteStamp writeStamp) {
                return last.equals(Fence.NONE) ? super.next(last, writeStamp) : last;
            }
        };
        return RuleSet.of(new ExpiryRules(step), repeating, new ValidityRules());
    }

    /** A done key is granted as if it were free. */
    static RuleSet lostDone(Duration step) {
        return withDecisions(step, new DecisionRules(new ExpiryRules(step), new FenceRules()) {
            @Override
            protected Decision acquire(LeaseRequest.Acquire request, Scene scene) {
                Entry entry = scene.seen().entry();
                if (entry == null || entry.state() != LeaseState.DONE) {
                    return super.acquire(request, scene);
                }
                ObservedEntry asIfFree = withEntry(scene.seen(), entry.freed(entry.version()));
                return super.acquire(request, new Scene(scene.key(), asIfFree, scene.anchor(), scene.stamp()));
            }
        });
    }

    /** A release only renews the lease. */
    static RuleSet lostRelease(Duration step) {
        return withDecisions(step, new DecisionRules(new ExpiryRules(step), new FenceRules()) {
            @Override
            protected Decision release(LeaseRequest.Release request, Scene scene) {
                Entry entry = scene.seen().entry();
                if (entry == null || !entry.isHeldBy(request.token())) {
                    return super.release(request, scene);
                }
                Grant grant = Objects.requireNonNull(entry.grant());
                Version version = scene.stamp().version();
                return new Decision.Write(Change.replace(
                        entry.version(),
                        entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes())));
            }
        });
    }

    private static RuleSet withDecisions(Duration step, DecisionRules decisions) {
        return new RuleSet(
                decisions, new ExpiryRules(step), new ValidityRules(), new SettlementRules(new FenceRules()));
    }

    private static ObservedEntry withEntry(ObservedEntry observed, Entry entry) {
        StoredEntry stored = observed.stored();
        return new ObservedEntry(
                new StoredEntry(entry, stored == null ? null : stored.age()),
                observed.asked(),
                observed.answered(),
                observed.answeredNanos(),
                observed.beatSeenNanos());
    }
}
