package dev.holdfast.cli.output;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Status of a key as JSON. The token is left out, because every reader of it could release the lease. */
public final class LeaseStatusJson {
    private LeaseStatusJson() {}

    public static void write(JsonWriter jsonWriter, LeaseStatus status) {
        Entry entry = status.entry();
        jsonWriter.beginObject();
        key(jsonWriter, status.key());
        jsonWriter.field("state", status.state().name().toLowerCase(Locale.ROOT));
        jsonWriter.field("expired", status.isExpired());
        jsonWriter.field("fence", entry.fence().value());
        jsonWriter.field("grants", entry.grants());
        Grant grant = entry.grant();
        jsonWriter.field("holder", grant == null ? null : grant.holder().name());
        if (grant != null) {
            if (grant.term().isKnown()) {
                jsonWriter.duration("term", grant.term().duration());
            } else {
                jsonWriter.field("term", null).field("termMillis", null);
            }
            jsonWriter.field("grantedAt", time(grant.grantedAt()));
            if (grant.anchor() != null) {
                jsonWriter.name("anchor").beginObject();
                key(jsonWriter, grant.anchor().key());
                jsonWriter.field("fence", grant.anchor().fence().value()).endObject();
            }
        }
        jsonWriter.duration("remaining", status.remaining());
        jsonWriter.field("createdAt", time(entry.createdAt()));
        jsonWriter.field(
                "doneAt", entry.doneAt() == null ? null : entry.doneAt().toString());
        jsonWriter.name("attributes");
        attributes(jsonWriter, entry.attributes());
        jsonWriter.endObject();
    }

    private static @Nullable String time(Instant time) {
        return LeaseStatusText.isUnknown(time) ? null : time.toString();
    }

    public static void key(JsonWriter jsonWriter, Key key) {
        jsonWriter.field("namespace", key.namespace()).field("name", key.name());
    }

    public static void attributes(JsonWriter jsonWriter, Attributes attributes) {
        map(jsonWriter, attributes.asMap());
    }

    private static void map(JsonWriter jsonWriter, Map<String, AttributeValue> values) {
        jsonWriter.beginObject();
        values.forEach((name, value) -> {
            jsonWriter.name(name);
            value(jsonWriter, value);
        });
        jsonWriter.endObject();
    }

    private static void value(JsonWriter jsonWriter, AttributeValue value) {
        if (value instanceof AttributeValue.Text text) {
            jsonWriter.value(text.value());
        } else if (value instanceof AttributeValue.Number number) {
            jsonWriter.literal(number);
        } else if (value instanceof AttributeValue.Bool bool) {
            jsonWriter.literal(bool.value());
        } else if (value instanceof AttributeValue.Bytes bytes) {
            jsonWriter.value(Base64.getEncoder().encodeToString(bytes.toArray()));
        } else if (value instanceof AttributeValue.ListOf list) {
            jsonWriter.beginArray();
            list.values().forEach(element -> value(jsonWriter, element));
            jsonWriter.endArray();
        } else {
            map(jsonWriter, ((AttributeValue.MapOf) value).entries());
        }
    }
}
