package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.proto.v1.Grant;
import dev.holdfast.proto.v1.LeaseLost;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.PastGrant;
import dev.holdfast.proto.v1.State;
import dev.holdfast.support.DurationText;
import dev.holdfast.wire.HistoryMessages;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Duration;
import java.util.Locale;

/** The status of a key as JSON. */
final class JsonStatus {
    private JsonStatus() {}

    static ObjectNode json(LeaseStatus status) {
        ObjectNode json = JsonRequest.JSON.createObjectNode();
        json.put("namespace", status.getNamespace()).put("name", status.getName());
        json.put("state", OutcomeMessages.state(status.getState()).name().toLowerCase(Locale.ROOT));
        json.put("expired", status.getState() == State.STATE_FREE && status.getStoredState() == State.STATE_HELD);
        json.put("fence", status.getFence()).put("grants", status.getGrants());
        if (status.hasGrant()) {
            grant(json, status.getGrant());
        }
        json.put("remaining", duration(status.getRemaining()));
        if (isKnown(status.getCreatedAt())) {
            json.put("createdAt", time(status.getCreatedAt()));
        }
        if (status.hasDoneAt()) {
            json.put("doneAt", time(status.getDoneAt()));
        }
        json.set("attributes", JsonAttributes.json(status.getAttributesMap()));
        if (status.getHistoryCount() > 0) {
            ArrayNode history = json.putArray("history");
            status.getHistoryList().forEach(line -> history.add(json(line)));
        }
        return json;
    }

    private static ObjectNode json(PastGrant line) {
        ObjectNode json = JsonRequest.JSON.createObjectNode();
        GrantEnd end = HistoryMessages.end(line.getEnd());
        json.put("number", line.getNumber()).put("holder", line.getHolder()).put("fence", line.getFence());
        json.put("grantedAt", time(line.getGrantedAt()));
        json.put("end", end == null ? "unknown" : end.name().toLowerCase(Locale.ROOT));
        if (end != null && end.isAtKnownTime()) {
            json.put("endedAt", time(line.getEndedBy()));
        }
        json.put("endedBy", time(line.getEndedBy()));
        if (!line.getActor().isEmpty()) {
            json.put("actor", line.getActor());
        }
        if (!line.getReason().isEmpty()) {
            json.put("reason", line.getReason());
        }
        return json;
    }

    private static void grant(ObjectNode json, Grant grant) {
        if (!grant.getToken().isEmpty()) {
            json.put("token", grant.getToken());
        }
        json.put("holder", grant.getHolder());
        if (!grant.getTermUnknown()) {
            json.put("term", duration(grant.getTerm()));
        }
        if (isKnown(grant.getGrantedAt())) {
            json.put("grantedAt", time(grant.getGrantedAt()));
        }
        if (grant.hasAnchor()) {
            json.putObject("anchor")
                    .put("namespace", grant.getAnchor().getKey().getNamespace())
                    .put("name", grant.getAnchor().getKey().getName())
                    .put("fence", grant.getAnchor().getFence());
        }
    }

    /** Whether the time is recorded: other tools that share tables with a store do not record all times. */
    private static boolean isKnown(com.google.protobuf.Timestamp time) {
        return time.getSeconds() != 0 || time.getNanos() != 0;
    }

    static String duration(com.google.protobuf.Duration wire) {
        return seconds(TimeMessages.duration("duration", wire));
    }

    static String seconds(Duration duration) {
        return DurationText.seconds(duration);
    }

    static String reason(LeaseLost lost) {
        return OutcomeMessages.reason(lost.getReason()).name();
    }

    static String time(com.google.protobuf.Timestamp wire) {
        return TimeMessages.instant("time", wire).toString();
    }
}
