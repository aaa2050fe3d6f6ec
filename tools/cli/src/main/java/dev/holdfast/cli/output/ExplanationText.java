package dev.holdfast.cli.output;

import dev.holdfast.LeaseStatus;
import dev.holdfast.explanation.EarliestGrant;
import dev.holdfast.explanation.HolderProcess;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.explanation.RenewalView;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Grant;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The explanation of a key as text: a sentence, and the facts below it, one per line. */
public final class ExplanationText {
    private static final String UNKNOWN = "unknown";
    private static final int LABEL = 12;

    private final LeaseExplanation explanation;
    private final Instant now;
    private final List<String> lines = new ArrayList<>();

    public ExplanationText(LeaseExplanation explanation, Instant now) {
        this.explanation = explanation;
        this.now = now;
    }

    public List<String> lines() {
        lines.add(VisibleText.line(explanation.summary()));
        lines.add("");
        explanation.status().ifPresent(this::lease);
        waiting(explanation.waiting());
        add("earliest", earliest(explanation.earliest()));
        explanation.facts().forEach(fact -> add(fact.label(), fact.text()));
        explanation.status().ifPresent(this::history);
        return lines;
    }

    private void add(String label, String value) {
        lines.add(ColumnWidth.padded(label, LABEL) + VisibleText.line(value));
    }

    private void lease(LeaseStatus status) {
        Grant grant = status.entry().grant();
        if (grant != null) {
            add(status.isHeld() ? "holder" : "last holder", grant.holder().name());
            process(explanation.process());
            add("granted", time(grant.grantedAt()));
            add(
                    "term",
                    grant.term().isKnown() ? DurationText.rounded(grant.term().duration()) : UNKNOWN);
            if (status.isHeld()) {
                renewals(explanation.renewals(), grant);
            }
            AnchorRef anchor = status.entry().heldThrough();
            if (anchor != null) {
                add("anchor", anchor.key() + ", " + anchor());
            }
        }
        if (status.entry().doneAt() != null) {
            add("done", time(status.entry().doneAt()));
        }
        add("fence", LeaseStatusText.fence(status.entry()));
        add("grants", String.valueOf(status.entry().grants()));
    }

    private void process(HolderProcess process) {
        add("host", process.host().orElse(UNKNOWN));
        process.user().ifPresent(user -> add("user", user));
        add("process", process.pid().map(String::valueOf).orElse(UNKNOWN));
        add(
                "client",
                process.client().orElse(UNKNOWN)
                        + process.address().map(it -> " from " + it).orElse(""));
    }

    private void renewals(RenewalView renewals, Grant grant) {
        String last = renewals.since()
                .map(it -> (renewals.atLeast() ? "at least " : "") + DurationText.rounded(it) + " ago")
                .orElse(UNKNOWN);
        add("renewed", last + (renewals.isOverdue(grant.term()) ? " (overdue)" : ""));
        String left =
                renewals.leftAtRenewals().stream().map(DurationText::rounded).collect(Collectors.joining(", "));
        add(
                "slack",
                left.isEmpty()
                        ? UNKNOWN + " (no renewal passed through this process)"
                        : left + " left at the last renewals, newest first"
                                + (renewals.isAtRisk(grant.term()) ? " (at risk)" : ""));
    }

    private String anchor() {
        return explanation
                .anchor()
                .map(it -> it.isHeld()
                        ? "held, " + DurationText.rounded(it.remaining()) + " left"
                        : it.isExpired() ? "expired" : "ended")
                .orElse("ended");
    }

    private void waiting(WaitingLine line) {
        if (line.total() == 0) {
            add("waiting", "none here; clients of other processes are not visible");
            return;
        }
        int place = 1;
        for (WaitingLine.WaitingClient client : line.first()) {
            add(
                    place == 1 ? "waiting" : "",
                    place++ + ". " + client.holder() + " for " + DurationText.rounded(client.waited()) + ", gives up "
                            + patience(client.patience()));
        }
        if (line.total() > line.first().size()) {
            add("", "and " + (line.total() - line.first().size()) + " more");
        }
        add("next", line.first().get(0).holder() + ", unless a client of another process is faster");
    }

    private void history(LeaseStatus status) {
        String label = "history";
        for (String line : GrantHistoryText.lines(status)) {
            add(label, line);
            label = "";
        }
    }

    private static String patience(Duration left) {
        return left.compareTo(Duration.ofDays(3650)) > 0 ? "never" : "in " + DurationText.rounded(left);
    }

    private static String earliest(EarliestGrant earliest) {
        Optional<Duration> in = earliest.in();
        if (earliest.basis() == EarliestGrant.Basis.DONE) {
            return "when it is reopened";
        }
        if (earliest.basis() == EarliestGrant.Basis.PLANNER) {
            return "when the planner of its fleet gives it to a worker";
        }
        if (in.isEmpty()) {
            return UNKNOWN;
        }
        return in.get().isZero()
                ? "now"
                : "in " + DurationText.rounded(in.get()) + " if it is not renewed (by "
                        + earliest.basis().text() + ")";
    }

    private String time(Instant time) {
        return LeaseStatusText.isUnknown(time)
                ? UNKNOWN
                : time + " (" + DurationText.rounded(Duration.between(time, now)) + " ago)";
    }
}
