package dev.holdfast.explanation;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The reasons for the state of a key: its holder, the clients that wait for it, and when another client can acquire it.
 *
 * @param summary one sentence for people
 * @param status empty if the key was never leased
 * @param anchor the anchor that the key is held through; empty if it has none, or the anchor has no entry
 * @param waiting the clients that wait through the same client or server as this call; others are not visible
 * @param facts further facts, from modules that manage the key, such as the planner of a fleet
 */
public record LeaseExplanation(
        Key key,
        String summary,
        Optional<LeaseStatus> status,
        RenewalView renewals,
        EarliestGrant earliest,
        Optional<LeaseStatus> anchor,
        WaitingLine waiting,
        HolderProcess process,
        List<ExplainedFact> facts) {
    public LeaseExplanation {
        facts = List.copyOf(facts);
    }

    /** Whether the key is held, and its holder renews so late that it may lose the lease. */
    public boolean isAtRisk() {
        return status.filter(LeaseStatus::isHeld)
                .map(held -> held.entry().grant())
                .filter(grant -> renewals.isOverdue(grant.term()) || renewals.isAtRisk(grant.term()))
                .isPresent();
    }

    /** The same with another first sentence and further facts. */
    public LeaseExplanation extended(String newSummary, List<ExplainedFact> more) {
        List<ExplainedFact> all = new ArrayList<>(facts);
        all.addAll(more);
        return new LeaseExplanation(key, newSummary, status, renewals, earliest, anchor, waiting, process, all);
    }

    /** The same with another earliest moment. */
    public LeaseExplanation withEarliest(EarliestGrant newEarliest) {
        return new LeaseExplanation(key, summary, status, renewals, newEarliest, anchor, waiting, process, facts);
    }

    /** The same with more knowledge about the process of the holder. */
    public LeaseExplanation withProcess(HolderProcess newProcess) {
        return new LeaseExplanation(key, summary, status, renewals, earliest, anchor, waiting, newProcess, facts);
    }
}
