package dev.holdfast.embedded;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.explanation.EarliestGrant;
import dev.holdfast.explanation.EarliestGrant.Basis;
import dev.holdfast.explanation.ExplanationSummary;
import dev.holdfast.explanation.HolderProcess;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.explanation.RenewalView;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.rules.EntryStanding;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.StatusLookup.ListedStatus;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The explanation of one key, from what the store returned and what this process has seen. */
record LeaseExplainer(RuleSet rules, StatusListing statuses, RenewalMargins margins) {
    LeaseExplanation explain(Key key, StatusListing.ObservedKey observed, WaitingLine waiting) {
        ObservedEntry seen = observed.seen();
        Entry entry = seen.entry();
        Optional<ListedStatus> listed =
                entry == null ? Optional.empty() : Optional.of(statuses.resolve(seen, observed.anchor()));
        ObservedEntry anchor = observed.anchor();
        Optional<LeaseStatus> anchorStatus = anchor == null || anchor.entry() == null
                ? Optional.empty()
                : Optional.of(statuses.resolve(anchor, null).status());
        HolderProcess process = entry == null || entry.grant() == null
                ? HolderProcess.UNKNOWN
                : HolderProcess.of(entry.grant().holder());
        LeaseExplanation facts = new LeaseExplanation(
                key,
                "",
                listed.map(ListedStatus::status),
                listed.map(it -> renewals(it, observed)).orElse(RenewalView.NONE),
                earliest(observed),
                anchorStatus,
                waiting,
                process,
                List.of());
        return ExplanationSummary.add(facts, statuses.service().reading().wall());
    }

    private RenewalView renewals(ListedStatus listed, StatusListing.ObservedKey observed) {
        if (listed.status().entry().state() != LeaseState.HELD) {
            return RenewalView.NONE;
        }
        // A lease that is held through an anchor is renewed by renewals of the anchor.
        ObservedEntry renewed = observed.anchor() == null ? observed.seen() : observed.anchor();
        boolean isStamped = renewed.stored() != null && renewed.stored().age() != null;
        boolean isUnknown = rules.expiry().endsAreStored();
        return new RenewalView(
                isUnknown ? Optional.empty() : Optional.ofNullable(listed.sinceBeat()),
                !isStamped,
                margins.of(renewed.entry()));
    }

    private EarliestGrant earliest(StatusListing.ObservedKey observed) {
        ObservedEntry seen = observed.seen();
        EntryStanding standing = rules.decisions()
                .standing(seen, observed.anchor(), statuses.service().reading());
        return switch (standing.kind()) {
            case FREE, SILENT, ORPHANED, ANCHOR_SILENT -> new EarliestGrant(Optional.of(Duration.ZERO), Basis.FREE);
            case DONE -> new EarliestGrant(Optional.empty(), Basis.DONE);
            case ANCHOR_UNSEEN -> new EarliestGrant(Optional.empty(), Basis.OBSERVATION);
            case HELD -> {
                ObservedEntry judged = observed.anchor() == null ? seen : observed.anchor();
                boolean isStamped = judged.stored() != null && judged.stored().age() != null;
                Basis basis = rules.expiry().endsAreStored()
                        ? Basis.STORED_END
                        : isStamped ? Basis.STORE_CLOCK : Basis.OBSERVATION;
                yield new EarliestGrant(Optional.of(standing.remaining()), basis);
            }
        };
    }
}
