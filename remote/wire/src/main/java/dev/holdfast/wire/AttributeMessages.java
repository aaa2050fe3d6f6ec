package dev.holdfast.wire;

import com.google.protobuf.ByteString;
import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.proto.v1.AttributeList;
import dev.holdfast.proto.v1.AttributeMap;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The conversion between attributes and their messages. The messages of sets are from early versions of clients: a set
 * is read as the list of its elements, and none is sent.
 */
public final class AttributeMessages {
    private AttributeMessages() {}

    public static Attributes attributes(Map<String, dev.holdfast.proto.v1.AttributeValue> wire) {
        return Attributes.of(map(wire, 1));
    }

    public static AttributePatch patch(dev.holdfast.proto.v1.AttributePatch wire) {
        return new AttributePatch(wire.getReplace(), attributes(wire.getPutMap()), new HashSet<>(wire.getRemoveList()));
    }

    public static dev.holdfast.proto.v1.AttributePatch wire(AttributePatch patch) {
        return dev.holdfast.proto.v1.AttributePatch.newBuilder()
                .setReplace(patch.replaces())
                .putAllPut(wire(patch.puts()))
                .addAllRemove(patch.removes())
                .build();
    }

    public static Map<String, dev.holdfast.proto.v1.AttributeValue> wire(Attributes attributes) {
        return wire(attributes.asMap());
    }

    private static Map<String, AttributeValue> map(Map<String, dev.holdfast.proto.v1.AttributeValue> wire, int depth) {
        Map<String, AttributeValue> values = new HashMap<>();
        wire.forEach((name, value) -> values.put(name, value(name, value, depth)));
        return values;
    }

    private static AttributeValue value(String name, dev.holdfast.proto.v1.AttributeValue wire, int depth) {
        // Checked before the recursion. The constructor of the attributes checks the depth too, but only after all of
        // it was read.
        if (depth > SizeLimits.ATTRIBUTE_DEPTH) {
            throw ArgumentCheck.bad("attributes", name, "nested at most " + SizeLimits.ATTRIBUTE_DEPTH + " deep");
        }
        return switch (wire.getValueCase()) {
            case TEXT -> AttributeValue.of(wire.getText());
            case NUMBER -> AttributeValue.of(number(wire.getNumber()));
            case BOOL -> AttributeValue.of(wire.getBool());
            case BYTES -> bytes(wire.getBytes());
            case LIST -> list(wire.getList().getValuesList(), element -> value(name, element, depth + 1));
            case MAP -> new AttributeValue.MapOf(map(wire.getMap().getEntriesMap(), depth + 1));
            case TEXT_SET -> list(wire.getTextSet().getValuesList(), AttributeValue::of);
            case NUMBER_SET -> list(wire.getNumberSet().getValuesList(), text -> AttributeValue.of(number(text)));
            case BYTES_SET -> list(wire.getBytesSet().getValuesList(), AttributeMessages::bytes);
            case VALUE_NOT_SET -> throw ArgumentCheck.bad("attributes", name, "a value");
        };
    }

    private static <T> AttributeValue list(List<T> wire, Function<T, AttributeValue> each) {
        return new AttributeValue.ListOf(wire.stream().map(each).toList());
    }

    private static AttributeValue bytes(ByteString wire) {
        return AttributeValue.of(wire.toByteArray());
    }

    /** Parses a number. The length is checked first, because a number with many digits takes long to parse. */
    public static BigDecimal number(String text) {
        if (text.length() > 2 * SizeLimits.NUMBER_DIGITS) {
            throw ArgumentCheck.bad("number", text, "<= " + SizeLimits.NUMBER_DIGITS + " significant digits");
        }
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw ArgumentCheck.bad("number", text, "a decimal number such as 42, -1.5 or 1E+20");
        }
    }

    private static Map<String, dev.holdfast.proto.v1.AttributeValue> wire(Map<String, AttributeValue> values) {
        Map<String, dev.holdfast.proto.v1.AttributeValue> wire = new HashMap<>();
        values.forEach((name, value) -> wire.put(name, wire(value)));
        return wire;
    }

    private static dev.holdfast.proto.v1.AttributeValue wire(AttributeValue value) {
        dev.holdfast.proto.v1.AttributeValue.Builder wire = dev.holdfast.proto.v1.AttributeValue.newBuilder();
        if (value instanceof AttributeValue.Text text) {
            wire.setText(text.value());
        } else if (value instanceof AttributeValue.Number number) {
            wire.setNumber(number.toString());
        } else if (value instanceof AttributeValue.Bool bool) {
            wire.setBool(bool.value());
        } else if (value instanceof AttributeValue.Bytes bytes) {
            wire.setBytes(ByteString.copyFrom(bytes.toArray()));
        } else if (value instanceof AttributeValue.ListOf list) {
            AttributeList.Builder elements = AttributeList.newBuilder();
            list.values().forEach(element -> elements.addValues(wire(element)));
            wire.setList(elements);
        } else {
            AttributeValue.MapOf map = (AttributeValue.MapOf) value;
            wire.setMap(AttributeMap.newBuilder().putAllEntries(wire(map.entries())));
        }
        return wire.build();
    }
}
