package dev.holdfast.cli.output;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;

/** The answer to an attempt to acquire, as JSON. */
public final class AcquireJson {
    private AcquireJson() {}

    public static String of(AcquireResult result) {
        Json json = new Json().beginObject();
        if (result instanceof AcquireResult.Granted granted) {
            Lease lease = granted.held();
            json.field("result", "granted");
            StatusJson.key(json, lease.key());
            json.field("token", lease.token().secret());
            if (lease.hasFence()) {
                json.field("fence", lease.fence().value());
            }
            json.field("holder", lease.holder().name())
                    .duration("term", lease.term().duration())
                    .duration("remaining", lease.remaining());
            json.name("attributes");
            StatusJson.attributes(json, lease.attributes());
        } else if (result instanceof AcquireResult.Held held) {
            json.field("result", "held");
            StatusJson.key(json, held.key());
            json.field("holder", held.holder().name())
                    .field("fence", held.fence().value())
                    .duration("remaining", held.remaining());
        } else if (result instanceof AcquireResult.Done done) {
            json.field("result", "done");
            StatusJson.key(json, done.key());
            json.field("doneAt", done.doneAt().toString());
        }
        return json.endObject().toString();
    }
}
