package dev.holdfast.sim.replay;

import dev.holdfast.sim.check.InvariantCheckers.InvariantViolation;
import dev.holdfast.sim.world.SimNetwork;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The data of a page: the part of a recorded run that the page shows, with times in milliseconds. */
final class ReplayData {
    private static final long SECOND = 1_000_000_000L;
    private static final long JUST_BEFORE = SECOND / 100;

    private final ReplayRun run;
    private final RunLog log;
    private final List<RecordedStep> steps;
    private final long startNanos;
    private final long endNanos;

    ReplayData(ReplayRun run) {
        this.run = run;
        this.log = run.log();
        long ended = log.nowNanos();
        this.endNanos = log.window().end(ended);
        long wanted = log.window().start(endNanos);
        List<RecordedStep> kept =
                log.steps().stream().filter(step -> step.atNanos() >= wanted).toList();
        boolean isCut = log.dropped() > 0 && kept.size() == log.steps().size() && !kept.isEmpty();
        this.startNanos = isCut ? kept.get(0).atNanos() : wanted;
        this.steps = kept;
    }

    Map<String, Object> fields() {
        List<RecordedMessage> messages = log.messages().stream()
                .filter(message -> message.sentNanos <= endNanos && message.lastNanos() >= startNanos)
                .toList();
        List<RecordedSpan> terms = shown(log.terms());
        List<RecordedSpan> stored = shown(log.stored());
        List<RecordedSpan> faults = shown(log.faults());
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("title", run.title().text());
        data.put("command", run.title().command());
        data.put("tally", run.outcome().tally().toString());
        data.put("bounds", bounds());
        data.put("from", millis(startNanos));
        data.put("to", millis(endNanos));
        data.put("view", view(terms, messages));
        data.put("violation", violation());
        data.put("lanes", lanes(messages, terms, faults));
        data.put("keys", keys(terms, stored));
        data.put("steps", steps.stream().map(ReplayData::step).toList());
        data.put("messages", messages.stream().map(ReplayData::message).toList());
        data.put("terms", terms.stream().map(this::span).toList());
        data.put("stored", stored.stream().map(this::span).toList());
        data.put("faults", faults.stream().map(this::span).toList());
        return data;
    }

    private String bounds() {
        String part = "The page shows " + EventWords.seconds(startNanos) + " to " + EventWords.seconds(endNanos)
                + " of a run that took " + EventWords.seconds(log.nowNanos()) + ", in " + steps.size() + " steps.";
        return part + " It holds at most " + ReplayWindow.STEPS_MAX + " steps and, unless --from or --to say otherwise,"
                + " the last " + ReplayWindow.USUAL.toSeconds() + " s."
                + (log.dropped() > 0 ? " " + log.dropped() + " earlier steps did not fit." : "");
    }

    /** The part to show first: the terms that clash and the calls that just ended, or the seconds before the violation. */
    private List<Object> view(List<RecordedSpan> terms, List<RecordedMessage> messages) {
        InvariantViolation violation = run.outcome().violation();
        if (violation == null || violation.atNanos() < startNanos || violation.atNanos() > endNanos) {
            return List.of(millis(startNanos), millis(Math.min(endNanos, startNanos + 6 * SECOND)));
        }
        long at = violation.atNanos();
        long clashing = terms.stream()
                .filter(term -> term.isClash)
                .mapToLong(term -> term.fromNanos)
                .min()
                .orElse(at - 3 * SECOND);
        long justEnded = messages.stream()
                .filter(message -> message.keys.stream().anyMatch(run.blamed()::contains))
                .filter(message -> message.lastNanos() > at - JUST_BEFORE && message.lastNanos() <= at)
                .mapToLong(message -> message.sentNanos)
                .min()
                .orElse(at);
        long first = Math.min(at - SECOND, Math.min(clashing, justEnded));
        long from = Math.max(first, at - 7 * SECOND) - SECOND / 3;
        return List.of(millis(Math.max(0, from)), millis(at + (at - from) / 4));
    }

    private @Nullable Map<String, Object> violation() {
        InvariantViolation violation = run.outcome().violation();
        return violation == null
                ? null
                : Map.of(
                        "at", millis(violation.atNanos()),
                        "invariant", violation.invariant(),
                        "details", violation.details(),
                        "keys", run.blamed());
    }

    private Set<String> lanes(List<RecordedMessage> messages, List<RecordedSpan> terms, List<RecordedSpan> faults) {
        Set<String> used = new LinkedHashSet<>(List.of(RunLog.STORE));
        steps.forEach(step -> used.add(step.lane()));
        messages.forEach(message -> used.add(message.lane));
        terms.forEach(term -> used.add(term.lane));
        faults.forEach(fault -> used.add(fault.lane));
        Set<String> lanes = new LinkedHashSet<>(log.lanes());
        lanes.retainAll(used);
        return lanes;
    }

    private Set<String> keys(List<RecordedSpan> terms, List<RecordedSpan> stored) {
        Set<String> keys = new TreeSet<>();
        steps.forEach(step -> keys.addAll(step.keys()));
        terms.forEach(term -> keys.add(term.subject));
        stored.forEach(state -> keys.add(state.subject));
        return keys;
    }

    private List<RecordedSpan> shown(Collection<RecordedSpan> spans) {
        return spans.stream().filter(span -> span.touches(startNanos, endNanos)).toList();
    }

    private static Map<String, Object> step(RecordedStep step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("at", millis(step.atNanos()));
        fields.put("lane", step.lane());
        fields.put("kind", step.kind().text());
        fields.put("keys", step.keys());
        fields.put("message", step.message());
        fields.put("text", step.caption());
        return fields;
    }

    private static Map<String, Object> message(RecordedMessage message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", message.number);
        fields.put("lane", message.lane);
        fields.put("keys", message.keys);
        fields.put("label", message.label);
        fields.put("copy", message.isCopy);
        fields.put("late", message.isLate(SimNetwork.TIMEOUT.toNanos()));
        fields.put("sent", millis(message.sentNanos));
        fields.put("arrived", reached(message.arrivedNanos));
        fields.put("lost", message.isRequestLost);
        fields.put("answer", message.answer);
        fields.put("answered", reached(message.answeredNanos));
        fields.put("delivered", reached(message.deliveredNanos));
        fields.put("timedOut", reached(message.timedOutNanos));
        fields.put("answerLost", message.isAnswerLost);
        return fields;
    }

    private Map<String, Object> span(RecordedSpan span) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("lane", span.lane);
        fields.put("subject", span.subject);
        fields.put("label", span.label);
        fields.put("from", millis(span.fromNanos));
        fields.put("to", millis(Math.min(Math.min(span.toNanos, span.untilNanos), log.nowNanos())));
        fields.put("until", span.isOpen() && span.untilNanos < Long.MAX_VALUE / 2 ? millis(span.untilNanos) : null);
        fields.put("open", span.isOpen());
        fields.put("ending", span.ending);
        fields.put(
                "renewals",
                span.renewals.stream()
                        .filter(nanos -> nanos >= startNanos && nanos <= endNanos)
                        .map(ReplayData::millis)
                        .toList());
        fields.put("clash", span.isClash);
        return fields;
    }

    private static @Nullable Object reached(long nanos) {
        return nanos == RecordedMessage.NEVER ? null : millis(nanos);
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }
}
