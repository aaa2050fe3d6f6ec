package dev.holdfast.wire;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.explanation.EarliestGrant;
import dev.holdfast.explanation.EarliestGrant.Basis;
import dev.holdfast.explanation.ExplainedFact;
import dev.holdfast.explanation.HolderProcess;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.explanation.RenewalView;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.proto.v1.ExplainResponse;
import java.util.Optional;

/** The conversion between explanations and their messages. Tokens are never sent. */
public final class ExplanationMessages {
    private ExplanationMessages() {}

    public static ExplainResponse wire(LeaseExplanation explanation) {
        ExplainResponse.Builder wire = ExplainResponse.newBuilder()
                .setSummary(explanation.summary())
                .setSinceRenewalAtLeast(explanation.renewals().atLeast())
                .setEarliestBasis(wire(explanation.earliest().basis()))
                .setWaitingTotal(explanation.waiting().total())
                .setProcess(wire(explanation.process()));
        explanation.status().ifPresent(status -> wire.setStatus(StatusMessages.withHistory(status, false)));
        explanation.renewals().since().ifPresent(since -> wire.setSinceRenewal(TimeMessages.wire(since)));
        explanation.renewals().leftAtRenewals().forEach(left -> wire.addLeftAtRenewals(TimeMessages.wire(left)));
        explanation.earliest().in().ifPresent(in -> wire.setEarliest(TimeMessages.wire(in)));
        explanation.anchor().ifPresent(anchor -> wire.setAnchor(StatusMessages.wire(anchor, false)));
        explanation
                .waiting()
                .first()
                .forEach(client -> wire.addWaiting(ExplainResponse.Waiting.newBuilder()
                        .setHolder(client.holder().name())
                        .setWaited(TimeMessages.wire(client.waited()))
                        .setPatience(TimeMessages.wire(client.patience()))));
        explanation
                .facts()
                .forEach(fact -> wire.addFacts(
                        ExplainResponse.Fact.newBuilder().setLabel(fact.label()).setText(fact.text())));
        return wire.build();
    }

    private static ExplainResponse.Process wire(HolderProcess process) {
        return ExplainResponse.Process.newBuilder()
                .setUser(process.user().orElse(""))
                .setHost(process.host().orElse(""))
                .setPid(process.pid().orElse(0L))
                .setClient(process.client().orElse(""))
                .setAddress(process.address().orElse(""))
                .build();
    }

    private static ExplainResponse.Basis wire(Basis basis) {
        return switch (basis) {
            case FREE -> ExplainResponse.Basis.BASIS_FREE;
            case STORE_CLOCK -> ExplainResponse.Basis.BASIS_STORE_CLOCK;
            case OBSERVATION -> ExplainResponse.Basis.BASIS_OBSERVATION;
            case STORED_END -> ExplainResponse.Basis.BASIS_STORED_END;
            case DONE -> ExplainResponse.Basis.BASIS_DONE;
            case PLANNER -> ExplainResponse.Basis.BASIS_PLANNER;
        };
    }

    public static LeaseExplanation explanation(Key key, ExplainResponse wire) {
        return new LeaseExplanation(
                key,
                wire.getSummary(),
                wire.hasStatus() ? Optional.of(OutcomeMessages.status(wire.getStatus())) : Optional.empty(),
                new RenewalView(
                        wire.hasSinceRenewal()
                                ? Optional.of(TimeMessages.duration("since_renewal", wire.getSinceRenewal()))
                                : Optional.empty(),
                        wire.getSinceRenewalAtLeast(),
                        wire.getLeftAtRenewalsList().stream()
                                .map(left -> TimeMessages.duration("left_at_renewals", left))
                                .toList()),
                new EarliestGrant(
                        wire.hasEarliest()
                                ? Optional.of(TimeMessages.duration("earliest", wire.getEarliest()))
                                : Optional.empty(),
                        basis(wire.getEarliestBasis())),
                wire.hasAnchor() ? Optional.of(OutcomeMessages.status(wire.getAnchor())) : Optional.empty(),
                new WaitingLine(
                        wire.getWaitingTotal(),
                        wire.getWaitingList().stream()
                                .map(ExplanationMessages::client)
                                .toList()),
                process(wire.getProcess()),
                wire.getFactsList().stream()
                        .map(fact -> new ExplainedFact(fact.getLabel(), fact.getText()))
                        .toList());
    }

    private static WaitingLine.WaitingClient client(ExplainResponse.Waiting wire) {
        return new WaitingLine.WaitingClient(
                Holder.of(wire.getHolder()),
                TimeMessages.duration("waited", wire.getWaited()),
                TimeMessages.duration("patience", wire.getPatience()));
    }

    private static HolderProcess process(ExplainResponse.Process wire) {
        return new HolderProcess(
                known(wire.getUser()),
                known(wire.getHost()),
                wire.getPid() == 0 ? Optional.empty() : Optional.of(wire.getPid()),
                known(wire.getClient()),
                known(wire.getAddress()));
    }

    private static Optional<String> known(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** A basis that this version does not know is a kind of observation by the server. */
    public static Basis basis(ExplainResponse.Basis wire) {
        return switch (wire) {
            case BASIS_FREE -> Basis.FREE;
            case BASIS_STORE_CLOCK -> Basis.STORE_CLOCK;
            case BASIS_STORED_END -> Basis.STORED_END;
            case BASIS_DONE -> Basis.DONE;
            case BASIS_PLANNER -> Basis.PLANNER;
            case BASIS_OBSERVATION, BASIS_UNSPECIFIED, UNRECOGNIZED -> Basis.OBSERVATION;
        };
    }
}
