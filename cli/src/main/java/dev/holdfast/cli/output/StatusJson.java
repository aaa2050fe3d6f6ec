package dev.holdfast.cli.output;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.AttributeValue;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of a key, as JSON. The token is not in it: it would let whoever reads it release the lease. */
public final class StatusJson {
    private StatusJson() {}

    public static void write(Json json, LeaseStatus status) {
        Entry entry = status.entry();
        json.beginObject();
        key(json, status.key());
        json.field("state", status.state().name().toLowerCase(Locale.ROOT));
        json.field("expired", status.isExpired());
        json.field("fence", entry.fence().value());
        json.field("grants", entry.grants());
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
                key(json, grant.anchor().key());
                json.field("fence", grant.anchor().fence().value()).endObject();
            }
        }
        json.duration("remaining", status.remaining());
        json.field("createdAt", time(entry.createdAt()));
        json.field("doneAt", entry.doneAt() == null ? null : entry.doneAt().toString());
        json.name("attributes");
        attributes(json, entry.attributes());
        json.endObject();
    }

    private static @Nullable String time(Instant time) {
        return StatusText.isUnknown(time) ? null : time.toString();
    }

    public static void key(Json json, Key key) {
        json.field("namespace", key.namespace()).field("name", key.name());
    }

    public static void attributes(Json json, Attributes attributes) {
        map(json, attributes.asMap());
    }

    private static void map(Json json, Map<String, AttributeValue> values) {
        json.beginObject();
        values.forEach((name, value) -> {
            json.name(name);
            value(json, value);
        });
        json.endObject();
    }

    private static void value(Json json, AttributeValue value) {
        if (value instanceof AttributeValue.Text text) {
            json.value(text.value());
        } else if (value instanceof AttributeValue.Number number) {
            json.literal(number);
        } else if (value instanceof AttributeValue.Bool bool) {
            json.literal(bool.value());
        } else if (value instanceof AttributeValue.Bytes bytes) {
            json.value(Base64.getEncoder().encodeToString(bytes.toArray()));
        } else if (value instanceof AttributeValue.MapOf map) {
            map(json, map.entries());
        } else {
            array(json, value);
        }
    }

    private static void array(Json json, AttributeValue value) {
        json.beginArray();
        if (value instanceof AttributeValue.ListOf list) {
            list.values().forEach(element -> value(json, element));
        } else if (value instanceof AttributeValue.TextSet set) {
            set.values().forEach(json::value);
        } else if (value instanceof AttributeValue.NumberSet set) {
            set.values().forEach(number -> value(json, new AttributeValue.Number(number)));
        } else if (value instanceof AttributeValue.BytesSet set) {
            set.values().forEach(bytes -> value(json, bytes));
        }
        json.endArray();
    }
}
