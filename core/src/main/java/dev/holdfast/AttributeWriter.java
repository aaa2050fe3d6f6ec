package dev.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.AttributeValue.Bool;
import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.AttributeValue.BytesSet;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.AttributeValue.NumberSet;
import dev.holdfast.AttributeValue.Text;
import dev.holdfast.AttributeValue.TextSet;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;

/** Writes {@linkplain AttributeCodec the encoding}. */
final class AttributeWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] toByteArray() {
        return out.toByteArray();
    }

    void value(AttributeValue value, int depth) {
        AttributeCodec.requireShallow(depth);
        if (value instanceof Text text) {
            octet(AttributeCodec.TEXT);
            text(text.value());
        } else if (value instanceof AttributeValue.Number number) {
            octet(AttributeCodec.NUMBER);
            number(number.value());
        } else if (value instanceof Bool bool) {
            octet(bool.value() ? AttributeCodec.TRUE : AttributeCodec.FALSE);
        } else if (value instanceof Bytes bytes) {
            octet(AttributeCodec.BYTES);
            bytes(bytes.toArray());
        } else if (value instanceof ListOf list) {
            octet(AttributeCodec.LIST);
            count(list.values().size());
            list.values().forEach(element -> value(element, depth + 1));
        } else if (value instanceof MapOf map) {
            octet(AttributeCodec.MAP);
            map(map, depth + 1);
        } else {
            set(value);
        }
    }

    void map(MapOf map, int depth) {
        count(map.entries().size());
        map.entries().forEach((name, value) -> {
            text(name);
            value(value, depth);
        });
    }

    void set(AttributeValue value) {
        if (value instanceof TextSet set) {
            octet(AttributeCodec.TEXT_SET);
            count(set.values().size());
            set.values().forEach(this::text);
        } else if (value instanceof NumberSet set) {
            octet(AttributeCodec.NUMBER_SET);
            count(set.values().size());
            set.values().forEach(this::number);
        } else if (value instanceof BytesSet set) {
            octet(AttributeCodec.BYTES_SET);
            count(set.values().size());
            set.values().forEach(bytes -> bytes(bytes.toArray()));
        } else {
            throw new AssertionError(value.getClass());
        }
    }

    void number(BigDecimal number) {
        text(number.toString());
    }

    void text(String text) {
        bytes(text.getBytes(UTF_8));
    }

    void bytes(byte[] bytes) {
        count(bytes.length);
        AttributeCodec.requireFewBytes(out.size() + bytes.length);
        out.writeBytes(bytes);
    }

    void count(int count) {
        AttributeCodec.requireFewBytes(
                count); // everything counted takes a byte; this also keeps the count within three octets
        int rest = count;
        while (rest >= 0x80) {
            octet((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        octet(rest);
    }

    void octet(int octet) {
        AttributeCodec.requireFewBytes(out.size() + 1);
        out.write(octet);
    }
}
