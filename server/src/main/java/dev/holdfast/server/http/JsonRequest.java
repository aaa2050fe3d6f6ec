package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import dev.holdfast.proto.v1.AttributePatch;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.DurationText;
import dev.holdfast.wire.TimeMessages;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, parsed strictly: unknown fields are rejected by name. Otherwise a typo in a field name would
 * mean, for example, a term that was never set.
 */
final class JsonRequest {
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private final ObjectNode body;

    private JsonRequest(ObjectNode body) {
        this.body = body;
    }

    /** @throws IllegalArgumentException if it is not a JSON object, or has fields other than {@code known} */
    static JsonRequest parse(byte[] body, Set<String> known) {
        JsonNode read;
        try {
            read = body.length == 0 ? JSON.createObjectNode() : JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw ArgumentCheck.bad("body", e.getOriginalMessage(), "JSON");
        } catch (IOException e) {
            throw ArgumentCheck.bad("body", String.valueOf(e.getMessage()), "JSON");
        }
        if (!(read instanceof ObjectNode object)) {
            throw ArgumentCheck.bad("body", read == null ? "nothing" : read.getNodeType(), "a JSON object");
        }
        object.fieldNames().forEachRemaining(name -> requireKnown(name, known));
        return new JsonRequest(object);
    }

    static void requireKnown(String name, Set<String> known) {
        if (!known.contains(name)) {
            throw ArgumentCheck.bad(name, "unknown", "one of " + String.join(", ", new TreeSet<>(known)));
        }
    }

    /**
     * The message with the texts, durations and attribute patches of this request, by their names in JSON.
     *
     * @param name the value of its field of that name, if it has one
     */
    @SuppressWarnings("unchecked") // A builder builds messages of its own type.
    <Q extends Message> Q into(Q empty, String name) {
        Message.Builder message = empty.toBuilder();
        for (FieldDescriptor field : empty.getDescriptorForType().getFields()) {
            String jsonName = field.getJsonName();
            Object value = null;
            if (jsonName.equals("name")) {
                value = name;
            } else if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                value = text(jsonName);
            } else if (isOf(field, Duration.getDescriptor())) {
                value = duration(jsonName);
            } else if (isOf(field, AttributePatch.getDescriptor())) {
                value = JsonAttributes.patch(object(jsonName), bool("replaceAttributes"));
            }
            if (value != null) {
                message.setField(field, value);
            }
        }
        return (Q) message.build();
    }

    private static boolean isOf(FieldDescriptor field, Descriptor type) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && field.getMessageType().equals(type);
    }

    /** A text; empty if the field is missing. */
    String text(String field) {
        JsonNode value = value(field);
        if (value == null) {
            return "";
        }
        if (!value.isTextual()) {
            throw ArgumentCheck.bad(field, value, "a text");
        }
        return value.textValue();
    }

    boolean bool(String field) {
        JsonNode value = value(field);
        if (value != null && !value.isBoolean()) {
            throw ArgumentCheck.bad(field, value, "true or false");
        }
        return value != null && value.booleanValue();
    }

    int number(String field) {
        JsonNode value = value(field);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToInt()) {
            throw ArgumentCheck.bad(field, value, "a whole number");
        }
        return value.intValue();
    }

    private @Nullable Duration duration(String field) {
        JsonNode value = value(field);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw ArgumentCheck.bad(field, value, "a duration in quotes, such as \"30s\"");
        }
        try {
            return TimeMessages.wire(DurationText.parse(value.textValue()));
        } catch (DateTimeException e) {
            throw ArgumentCheck.bad(field, value.textValue(), "a duration such as 30s, 500ms, 1h30m or PT30S");
        }
    }

    /** An object; null if the field is missing. */
    @Nullable
    ObjectNode object(String field) {
        JsonNode value = value(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof ObjectNode object)) {
            throw ArgumentCheck.bad(field, value, "an object");
        }
        return object;
    }

    private @Nullable JsonNode value(String field) {
        JsonNode value = body.get(field);
        return value == null || value.isNull() ? null : value;
    }
}
