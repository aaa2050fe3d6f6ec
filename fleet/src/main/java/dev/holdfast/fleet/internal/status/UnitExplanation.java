package dev.holdfast.fleet.internal.status;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.explanation.EarliestGrant;
import dev.holdfast.explanation.EarliestGrant.Basis;
import dev.holdfast.explanation.ExplainedFact;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.UnitOutlook;
import dev.holdfast.fleet.UnitOutlook.Standing;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.service.ExplanationSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The planner's view of a unit, as part of the explanation of its key. */
public final class UnitExplanation implements ExplanationSource {
    @Override
    public CompletionStage<LeaseExplanation> extend(LeaseExplanation explanation, AsyncLeases leases) {
        Key key = explanation.key();
        Optional<FleetKeyLayout> layout = FleetKeyLayout.ofUnits(key.namespace());
        if (layout.isEmpty()) {
            return CompletableFuture.completedFuture(explanation);
        }
        return new OutlookReader(leases, layout.get()).read(key.name()).thenApply(outlook -> {
            List<ExplainedFact> facts = new ArrayList<>();
            facts.add(new ExplainedFact("fleet", layout.get().fleet()));
            facts.add(new ExplainedFact("lease", explanation.summary()));
            facts.addAll(facts(outlook));
            // A worker that may lose the unit soon is part of the answer, and not only a fact.
            String risk = explanation.isAtRisk() ? " " + explanation.summary() : "";
            return planned(explanation, outlook).extended(outlook.summary() + risk, facts);
        });
    }

    /** A unit that is free is not there for every worker: the planner gives it to one. */
    private static LeaseExplanation planned(LeaseExplanation explanation, UnitOutlook outlook) {
        boolean isFree = explanation.earliest().basis() == Basis.FREE;
        return isFree && outlook.standing() != Standing.NO_UNIT
                ? explanation.withEarliest(new EarliestGrant(Optional.empty(), Basis.PLANNER))
                : explanation;
    }

    private static List<ExplainedFact> facts(UnitOutlook outlook) {
        List<ExplainedFact> facts = new ArrayList<>();
        facts.add(new ExplainedFact("planner", outlook.planner().orElse("none")));
        facts.add(new ExplainedFact("assigned to", outlook.assignedTo().orElse("no worker")));
        outlook.paused().ifPresent(note -> facts.add(new ExplainedFact("paused", text(note))));
        if (!outlook.waitsFor().isEmpty()) {
            facts.add(new ExplainedFact("waits for", String.join(", ", outlook.waitsFor())));
        }
        outlook.rest()
                .ifPresent(rest -> facts.add(new ExplainedFact(
                        "resting",
                        "until " + rest.until() + ", after " + rest.failures() + " failures in a row, the last on "
                                + rest.worker())));
        outlook.unplaced().map(UnplacedReason::text).ifPresent(it -> facts.add(new ExplainedFact("unplaced", it)));
        outlook.move()
                .ifPresent(move ->
                        facts.add(new ExplainedFact("moved", "to " + move.worker() + ", " + text(move.note()))));
        outlook.draining().ifPresent(note -> facts.add(new ExplainedFact("draining", text(note))));
        outlook.frozen().ifPresent(note -> facts.add(new ExplainedFact("frozen", text(note))));
        return facts;
    }

    private static String text(ControlNote note) {
        return "by " + note.by() + " at " + note.at() + (note.reason().isEmpty() ? "" : ": " + note.reason());
    }
}
