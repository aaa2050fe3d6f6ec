package dev.holdfast.cli.output;

import dev.holdfast.explanation.HolderProcess;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.support.DurationText;
import java.util.Locale;

/** The explanation of a key as JSON, with the fields of the server. Facts that are not known are null. */
public final class ExplanationJson {
    private ExplanationJson() {}

    public static String of(LeaseExplanation explanation) {
        JsonWriter json = new JsonWriter().beginObject();
        json.field("namespace", explanation.key().namespace())
                .field("name", explanation.key().name())
                .field("summary", explanation.summary());
        json.name("lease")
                .literal(explanation.status().map(LeaseStatusJson::withHistory).orElse("null"));
        process(json, explanation.process());
        json.field(
                "sinceRenewal",
                explanation.renewals().since().map(DurationText::seconds).orElse(null));
        json.field("sinceRenewalAtLeast", explanation.renewals().atLeast());
        json.name("leftAtRenewals").beginArray();
        explanation.renewals().leftAtRenewals().forEach(it -> json.value(DurationText.seconds(it)));
        json.endArray();
        json.field(
                "earliest",
                explanation.earliest().in().map(DurationText::seconds).orElse(null));
        json.field("earliestBasis", explanation.earliest().basis().name().toLowerCase(Locale.ROOT));
        json.name("anchor")
                .literal(explanation.anchor().map(LeaseStatusJson::of).orElse("null"));
        waiting(json, explanation.waiting());
        json.name("facts").beginArray();
        explanation
                .facts()
                .forEach(fact -> json.beginObject()
                        .field("label", fact.label())
                        .field("text", fact.text())
                        .endObject());
        return json.endArray().endObject().toString();
    }

    private static void process(JsonWriter json, HolderProcess process) {
        json.name("process").beginObject();
        json.field("user", process.user().orElse(null))
                .field("host", process.host().orElse(null));
        json.name("pid").literal(process.pid().map(String::valueOf).orElse("null"));
        json.field("client", process.client().orElse(null))
                .field("address", process.address().orElse(null));
        json.endObject();
    }

    private static void waiting(JsonWriter json, WaitingLine line) {
        json.field("waitingTotal", line.total());
        json.name("waiting").beginArray();
        line.first()
                .forEach(client -> json.beginObject()
                        .field("holder", client.holder().name())
                        .field("waited", DurationText.seconds(client.waited()))
                        .field("patience", DurationText.seconds(client.patience()))
                        .endObject());
        json.endArray();
    }
}
