package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.proto.v1.ExplainResponse;
import dev.holdfast.wire.ExplanationMessages;
import java.util.Locale;

/** The explanation of a key as JSON. Fields that are not known are absent. */
public final class JsonExplanation {
    private JsonExplanation() {}

    /** The explanation as {@code GET /v1/leases/NAME/why} returns it, without tokens. */
    public static ObjectNode json(LeaseExplanation explanation) {
        return json(explanation.key(), ExplanationMessages.wire(explanation));
    }

    static ObjectNode json(Key key, ExplainResponse explained) {
        ObjectNode json = JsonRequest.JSON.createObjectNode();
        json.put("namespace", key.namespace()).put("name", key.name());
        json.put("summary", explained.getSummary());
        if (explained.hasStatus()) {
            json.set("lease", JsonStatus.json(explained.getStatus()));
        }
        process(json.putObject("process"), explained.getProcess());
        if (explained.hasSinceRenewal()) {
            json.put("sinceRenewal", JsonStatus.duration(explained.getSinceRenewal()));
            json.put("sinceRenewalAtLeast", explained.getSinceRenewalAtLeast());
        }
        ArrayNode left = json.putArray("leftAtRenewals");
        explained.getLeftAtRenewalsList().forEach(it -> left.add(JsonStatus.duration(it)));
        if (explained.hasEarliest()) {
            json.put("earliest", JsonStatus.duration(explained.getEarliest()));
        }
        json.put(
                "earliestBasis",
                ExplanationMessages.basis(explained.getEarliestBasis()).name().toLowerCase(Locale.ROOT));
        if (explained.hasAnchor()) {
            json.set("anchor", JsonStatus.json(explained.getAnchor()));
        }
        json.put("waitingTotal", explained.getWaitingTotal());
        ArrayNode waiting = json.putArray("waiting");
        explained
                .getWaitingList()
                .forEach(it -> waiting.addObject()
                        .put("holder", it.getHolder())
                        .put("waited", JsonStatus.duration(it.getWaited()))
                        .put("patience", JsonStatus.duration(it.getPatience())));
        ArrayNode facts = json.putArray("facts");
        explained
                .getFactsList()
                .forEach(fact -> facts.addObject().put("label", fact.getLabel()).put("text", fact.getText()));
        return json;
    }

    private static void process(ObjectNode json, ExplainResponse.Process process) {
        put(json, "user", process.getUser());
        put(json, "host", process.getHost());
        if (process.getPid() != 0) {
            json.put("pid", process.getPid());
        }
        put(json, "client", process.getClient());
        put(json, "address", process.getAddress());
    }

    private static void put(ObjectNode json, String name, String value) {
        if (!value.isEmpty()) {
            json.put(name, value);
        }
    }
}
