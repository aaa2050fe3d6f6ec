package dev.holdfast.explanation;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.store.Grant;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first sentence of an explanation. A pure function of its facts. */
public final class ExplanationSummary {
    private final LeaseExplanation facts;
    private final Instant now;

    private ExplanationSummary(LeaseExplanation facts, Instant now) {
        this.facts = facts;
        this.now = now;
    }

    /** The explanation with its summary, as of {@code now} by the wall clock. */
    public static LeaseExplanation add(LeaseExplanation facts, Instant now) {
        return facts.extended(new ExplanationSummary(facts, now).text(), List.of());
    }

    /** The name of a key in a sentence. */
    public static String name(Key key) {
        return ArgumentCheck.printable(key.toString());
    }

    private String text() {
        String key = name(facts.key());
        if (facts.status().isEmpty()) {
            return key + " is free: it was never leased.";
        }
        LeaseStatus status = facts.status().get();
        Grant grant = status.entry().grant();
        if (grant == null) {
            return key + " is free: it has not been leased since it was created or deleted.";
        }
        return key
                + switch (status.state()) {
                    case DONE ->
                        " is done: " + holder(grant) + " finished it"
                                + ago(status.entry().doneAt()) + ". It is not granted again until it is reopened.";
                    case FREE -> free(status, grant);
                    case HELD -> held(grant);
                };
    }

    private String free(LeaseStatus status, Grant grant) {
        if (!status.isExpired()) {
            return " is free. Its last holder was " + holder(grant) + ".";
        }
        if (grant.anchor() != null && !isAnchorHeld()) {
            return " is an orphan and can be acquired now: " + holder(grant) + " held it through the anchor "
                    + name(grant.anchor().key()) + ", which has ended.";
        }
        return " can be acquired now: its holder " + holder(grant) + " has not renewed "
                + (grant.anchor() == null
                        ? "it"
                        : "the anchor " + name(grant.anchor().key())) + silence()
                + ", and its term" + term(grant) + " is over.";
    }

    private boolean isAnchorHeld() {
        return facts.anchor()
                .filter(it -> it.entry().state() == LeaseState.HELD)
                .isPresent();
    }

    private String held(Grant grant) {
        Optional<Duration> in = facts.earliest().in();
        String through = grant.anchor() == null
                ? ""
                : " through the anchor " + name(grant.anchor().key());
        String start = " is held" + since(grant) + through + " by " + holder(grant);
        String free = in.map(it -> "another client can have it in " + DurationText.rounded(it))
                .orElse("it is not known when another client can have it");
        if (facts.renewals().isOverdue(grant.term())) {
            return start + ", which has not renewed it" + silence() + " of its term" + term(grant)
                    + ". A renewal is overdue. Unless it comes, " + free + ".";
        }
        if (facts.renewals().isAtRisk(grant.term())) {
            return start + ", which renews late: at one of its last renewals only " + DurationText.rounded(leastLeft())
                    + " of its term" + term(grant) + " was left. If it stops renewing, " + free + ".";
        }
        return start + ". Another client can have it when it is released; if its holder stops renewing, "
                + in.map(it -> "in " + DurationText.rounded(it) + " at the earliest")
                        .orElse("it is not known when") + ".";
    }

    private Duration leastLeft() {
        return facts.renewals().leftAtRenewals().stream()
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private String silence() {
        return facts.renewals()
                .since()
                .map(it -> (facts.renewals().atLeast() ? " for at least " : " for ") + DurationText.rounded(it))
                .orElse("");
    }

    private static String term(Grant grant) {
        return grant.term().isKnown()
                ? " of " + DurationText.rounded(grant.term().duration())
                : "";
    }

    private String since(Grant grant) {
        return grant.grantedAt().equals(Instant.EPOCH)
                ? ""
                : " for " + DurationText.rounded(Duration.between(grant.grantedAt(), now));
    }

    private String ago(@Nullable Instant time) {
        Instant then = Objects.requireNonNull(time);
        return then.equals(Instant.EPOCH) ? "" : " " + DurationText.rounded(Duration.between(then, now)) + " ago";
    }

    private static String holder(Grant grant) {
        return ArgumentCheck.printable(grant.holder().name());
    }
}
