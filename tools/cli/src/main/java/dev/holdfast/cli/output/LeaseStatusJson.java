package dev.holdfast.cli.output;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.RenewResult;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Leases as JSON: the status of a key, and the result of an acquire. */
public final class LeaseStatusJson {
    private LeaseStatusJson() {}

    /** The status of a key, without its token: every reader of the token could release the lease. */
    public static String of(LeaseStatus status) {
        return status(status).endObject().toString();
    }

    /** The same with the history of the key, oldest grant first. */
    public static String withHistory(LeaseStatus status) {
        JsonWriter json = status(status).name("history").beginArray();
        status.history().lines().forEach(line -> pastGrant(json, line));
        return json.endArray().endObject().toString();
    }

    private static void pastGrant(JsonWriter json, PastGrant line) {
        json.beginObject()
                .field("number", line.number())
                .field("holder", line.holder().name())
                .field("fence", line.fence().value())
                .field("grantedAt", line.grantedAt().toString())
                .field("end", line.end().name().toLowerCase(Locale.ROOT));
        line.endedAt().ifPresent(time -> json.field("endedAt", time.toString()));
        json.field("endedBy", line.endedBy().toString());
        if (line.actor() != null) {
            json.field("actor", line.actor().name());
        }
        if (line.reason() != null) {
            json.field("reason", line.reason());
        }
        json.endObject();
    }

    private static JsonWriter status(LeaseStatus status) {
        Entry entry = status.entry();
        JsonWriter json = begin(status.key())
                .field("state", status.state().name().toLowerCase(Locale.ROOT))
                .field("expired", status.isExpired())
                .field("fence", entry.fence().value())
                .field("grants", entry.grants());
        Grant grant = entry.grant();
        json.field("holder", grant == null ? null : grant.holder().name());
        if (grant != null) {
            if (grant.term().isKnown()) {
                json.duration("term", grant.term().duration());
            } else {
                json.field("term", null).field("termMillis", null);
            }
            json.field("grantedAt", time(grant.grantedAt()));
            if (grant.anchor() != null) {
                json.name("anchor").beginObject();
                key(json, grant.anchor().key())
                        .field("fence", grant.anchor().fence().value())
                        .endObject();
            }
        }
        json.duration("remaining", status.remaining());
        json.field("createdAt", time(entry.createdAt()));
        json.field("doneAt", entry.doneAt() == null ? null : entry.doneAt().toString());
        json.name("attributes").attributes(entry.attributes());
        return json;
    }

    /** The status of a key that was never leased. */
    public static String neverLeased(Key key) {
        return begin(key)
                .field("state", "free")
                .field("expired", false)
                .field("fence", 0)
                .field("grants", 0)
                .field("holder", null)
                .duration("remaining", Duration.ZERO)
                .endObject()
                .toString();
    }

    /** The result of an acquire. */
    public static String of(AcquireResult result) {
        JsonWriter json = new JsonWriter().beginObject();
        if (result instanceof AcquireResult.Granted granted) {
            Lease lease = granted.lease();
            key(json.field("result", "granted"), lease.key())
                    .field("token", lease.token().secret());
            if (lease.hasFence()) {
                json.field("fence", lease.fence().value());
            }
            json.field("holder", lease.holder().name())
                    .duration("term", lease.term())
                    .duration("remaining", lease.remaining())
                    .name("attributes")
                    .attributes(lease.attributes());
        } else if (result instanceof AcquireResult.HeldByAnother held) {
            key(json.field("result", "held"), held.key())
                    .field("holder", held.holder().name())
                    .field("fence", held.fence().value())
                    .duration("remaining", held.remaining());
        } else if (result instanceof AcquireResult.Done done) {
            key(json.field("result", "done"), done.key())
                    .field("doneAt", done.doneAt().toString());
        }
        return json.endObject().toString();
    }

    /** A renewed lease. */
    public static String of(Key key, RenewResult renewed) {
        return begin(key)
                .field("token", renewed.token().secret())
                .duration("remaining", renewed.remaining())
                .endObject()
                .toString();
    }

    private static @Nullable String time(Instant time) {
        return LeaseStatusText.isUnknown(time) ? null : time.toString();
    }

    private static JsonWriter begin(Key key) {
        return key(new JsonWriter().beginObject(), key);
    }

    private static JsonWriter key(JsonWriter json, Key key) {
        return json.field("namespace", key.namespace()).field("name", key.name());
    }
}
