package dev.holdfast.sim.replay;

import dev.holdfast.sim.check.PossibleHolder;
import dev.holdfast.sim.check.SimulatedHolding;
import dev.holdfast.sim.check.UnitWork;
import dev.holdfast.sim.replay.RecordedStep.StepKind;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A recorder of terms, each by the clock of its holder: from its grant until its deadline, or until the holder ended it. */
final class TermRecorder {
    /** Drift moves a deadline by less than this, and a renewal by more. */
    private static final long MOVED_NANOS = Duration.ofMillis(5).toNanos();

    private static final String LAPSED = "its term is over";
    private static final int LAPSED_MAX = 100;

    private final RunLog log;
    private final List<OpenTerm> open = new ArrayList<>();
    /** Terms that ended by themselves. A bug may make one valid again. */
    private final List<OpenTerm> lapsed = new ArrayList<>();

    TermRecorder(RunLog log) {
        this.log = log;
    }

    /**
     * A term that is not over.
     *
     * @param source the object of the simulator that holds it
     * @param isOver whether the holder ended it, or knows of its loss
     */
    private record OpenTerm(
            Object source,
            SimProcess process,
            RecordedSpan span,
            Supplier<Duration> remaining,
            BooleanSupplier isOver) {}

    void granted(PossibleHolder holder) {
        boolean isKnown = open.stream().anyMatch(term -> term.source == holder);
        if (isKnown) {
            sample(true);
        } else {
            String fence = "fence " + holder.fence();
            begin(holder, holder.process(), holder.key().toString(), fence, holder::remaining, holder::isOver);
        }
    }

    void worked(UnitWork work) {
        String fence = "fence " + work.unit().fence();
        begin(work, work.process(), work.name(), fence, () -> remaining(work), () -> !work.isGoingOn());
    }

    private static Duration remaining(UnitWork work) {
        return work.isOfThisLife() ? work.unit().remaining() : Duration.ZERO;
    }

    private void begin(
            Object source,
            SimProcess process,
            String key,
            String fence,
            Supplier<Duration> remaining,
            BooleanSupplier isOver) {
        long until = log.nowNanos() + remaining.get().toNanos();
        RecordedSpan span = new RecordedSpan(process.name(), key, fence, log.nowNanos(), until);
        open.add(new OpenTerm(source, process, span, remaining, isOver));
        log.term(span);
        String deadline = EventWords.seconds(until);
        step(span, process.name() + " holds " + key + " with " + fence + ", by its own clock until " + deadline + ".");
    }

    void gaveUp(SimulatedHolding holding) {
        end(term -> term.source == holding, "given up");
    }

    void crashed(SimProcess process) {
        end(term -> term.process == process, "crashed");
    }

    private void end(Predicate<OpenTerm> which, String how) {
        open.removeIf(term -> {
            if (!which.test(term)) {
                return false;
            }
            term.span.end(log.nowNanos(), how);
            if (how.equals(LAPSED)) {
                lapsed.add(term);
            }
            step(term.span, term.span.lane + " no longer holds " + term.span.subject + " (" + how + ").");
            return true;
        });
    }

    /**
     * Reads all open terms.
     *
     * @param isRenewal whether a deadline that moved was renewed; else the clock of its holder stood still or jumped
     */
    void sample(boolean isRenewal) {
        end(term -> term.remaining.get().isZero(), LAPSED);
        end(term -> term.isOver.getAsBoolean(), "given up");
        revive();
        for (OpenTerm term : open) {
            RecordedSpan span = term.span;
            long until = log.nowNanos() + term.remaining.get().toNanos();
            if (Math.abs(until - span.untilNanos) > MOVED_NANOS) {
                boolean isRenewed = isRenewal && until > span.untilNanos;
                span.untilNanos = until;
                if (isRenewed) {
                    span.renewals.add(log.nowNanos());
                    String deadline = EventWords.seconds(until);
                    step(
                            span,
                            span.lane + " has renewed " + span.subject + ", by its own clock until " + deadline + ".");
                }
            }
        }
    }

    private void revive() {
        List<OpenTerm> again =
                lapsed.stream().filter(term -> !term.remaining.get().isZero()).toList();
        lapsed.removeAll(again);
        if (lapsed.size() > LAPSED_MAX) {
            lapsed.remove(0);
        }
        again.forEach(term ->
                begin(term.source, term.process, term.span.subject, term.span.label, term.remaining, term.isOver));
    }

    /** Marks the terms of one key that are valid at the same time, at the end of a run with a violation. */
    void markClashes(List<String> keys) {
        Map<String, List<OpenTerm>> byKey = open.stream()
                .filter(term -> term.span.untilNanos > log.nowNanos())
                .collect(Collectors.groupingBy(term -> term.span.subject));
        byKey.forEach((key, terms) -> {
            if (terms.size() > 1 && keys.contains(key)) {
                terms.forEach(term -> term.span.isClash = true);
            }
        });
    }

    private void step(RecordedSpan span, String caption) {
        log.step(span.lane, StepKind.TERM, List.of(span.subject), caption);
    }
}
