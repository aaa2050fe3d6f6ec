package dev.holdfast.cli.output;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;

/** JSON form of the result of an acquire. */
public final class AcquireResultJson {
    private AcquireResultJson() {}

    public static String of(AcquireResult result) {
        JsonWriter jsonWriter = new JsonWriter().beginObject();
        if (result instanceof AcquireResult.Granted granted) {
            Lease lease = granted.lease();
            jsonWriter.field("result", "granted");
            LeaseStatusJson.key(jsonWriter, lease.key());
            jsonWriter.field("token", lease.token().secret());
            if (lease.hasFence()) {
                jsonWriter.field("fence", lease.fence().value());
            }
            jsonWriter
                    .field("holder", lease.holder().name())
                    .duration("term", lease.term())
                    .duration("remaining", lease.remaining());
            jsonWriter.name("attributes");
            LeaseStatusJson.attributes(jsonWriter, lease.attributes());
        } else if (result instanceof AcquireResult.HeldByAnother held) {
            jsonWriter.field("result", "held");
            LeaseStatusJson.key(jsonWriter, held.key());
            jsonWriter
                    .field("holder", held.holder().name())
                    .field("fence", held.fence().value())
                    .duration("remaining", held.remaining());
        } else if (result instanceof AcquireResult.Done done) {
            jsonWriter.field("result", "done");
            LeaseStatusJson.key(jsonWriter, done.key());
            jsonWriter.field("doneAt", done.doneAt().toString());
        }
        return jsonWriter.endObject().toString();
    }
}
