package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.holdfast.proto.v1.AttributeList;
import dev.holdfast.proto.v1.AttributeMap;
import dev.holdfast.proto.v1.AttributePatch;
import dev.holdfast.proto.v1.AttributeValue;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.wire.AttributeMessages;
import java.util.Base64;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attributes as JSON. Texts, numbers, booleans, lists and maps have their JSON counterparts. Bytes are shown in Base64
 * and can be written over gRPC only.
 */
final class JsonAttributes {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonAttributes() {}

    /** A patch of attributes: null removes an attribute, any other value is put. */
    static AttributePatch patch(@Nullable ObjectNode json, boolean replace) {
        AttributePatch.Builder patch = AttributePatch.newBuilder().setReplace(replace);
        if (json != null) {
            json.properties().forEach(field -> {
                if (field.getValue().isNull()) {
                    patch.addRemove(field.getKey());
                } else {
                    patch.putPut(field.getKey(), value(field.getKey(), field.getValue(), 1));
                }
            });
        }
        return patch.build();
    }

    private static AttributeValue value(String name, JsonNode json, int depth) {
        if (depth > SizeLimits.ATTRIBUTE_DEPTH) {
            throw ArgumentCheck.bad("attributes", name, "nested at most " + SizeLimits.ATTRIBUTE_DEPTH + " deep");
        }
        AttributeValue.Builder value = AttributeValue.newBuilder();
        if (json.isTextual()) {
            value.setText(json.textValue());
        } else if (json.isNumber()) {
            value.setNumber(json.decimalValue().toString());
        } else if (json.isBoolean()) {
            value.setBool(json.booleanValue());
        } else if (json.isArray()) {
            AttributeList.Builder list = AttributeList.newBuilder();
            json.forEach(element -> list.addValues(value(name, element, depth + 1)));
            value.setList(list);
        } else if (json.isObject()) {
            AttributeMap.Builder map = AttributeMap.newBuilder();
            json.properties()
                    .forEach(field -> map.putEntries(field.getKey(), value(name, field.getValue(), depth + 1)));
            value.setMap(map);
        } else {
            throw ArgumentCheck.bad("attributes", name, "no null inside a list or map");
        }
        return value.build();
    }

    static ObjectNode json(Map<String, AttributeValue> attributes) {
        ObjectNode json = NODES.objectNode();
        attributes.keySet().stream().sorted().forEach(name -> json.set(name, json(attributes.get(name))));
        return json;
    }

    private static JsonNode json(@Nullable AttributeValue value) {
        AttributeValue some = value == null ? AttributeValue.getDefaultInstance() : value;
        return switch (some.getValueCase()) {
            case TEXT -> NODES.textNode(some.getText());
            case NUMBER -> number(some.getNumber());
            case BOOL -> NODES.booleanNode(some.getBool());
            case BYTES -> bytes(some.getBytes());
            case MAP -> json(some.getMap().getEntriesMap());
            case LIST -> array(some.getList().getValuesList(), JsonAttributes::json);
            // No response of a server has a set: attributes have none.
            case TEXT_SET, NUMBER_SET, BYTES_SET, VALUE_NOT_SET -> NODES.nullNode();
        };
    }

    private static JsonNode number(String text) {
        return NODES.numberNode(AttributeMessages.number(text));
    }

    private static JsonNode bytes(ByteString bytes) {
        return NODES.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }

    private static <T> ArrayNode array(Iterable<T> values, Function<T, JsonNode> each) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(value -> array.add(each.apply(value)));
        return array;
    }
}
