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
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads {@linkplain AttributeCodec the encoding}, and rejects everything else. */
final class AttributeReader {
    // Longer than any canonical number, such as -0.000001234... with 38 digits or -1.234...E-130.
    private static final int NUMBER_BYTES = 64;

    private final byte[] in;
    private int at;

    AttributeReader(byte[] in) {
        this.in = in;
    }

    void version() {
        int version = octet();
        if (version != AttributeCodec.VERSION) {
            throw corrupt(0, "version " + version, "version " + AttributeCodec.VERSION);
        }
    }

    void end() {
        if (at < in.length) {
            throw corrupt(at, "trailing bytes", "the end");
        }
    }

    AttributeValue value(int depth) {
        AttributeCodec.requireShallow(depth);
        int start = at;
        int tag = octet();
        return switch (tag) {
            case AttributeCodec.TEXT -> new Text(text());
            case AttributeCodec.NUMBER -> new AttributeValue.Number(number());
            case AttributeCodec.FALSE -> new Bool(false);
            case AttributeCodec.TRUE -> new Bool(true);
            case AttributeCodec.BYTES -> new Bytes(bytes());
            case AttributeCodec.LIST -> list(depth + 1);
            case AttributeCodec.MAP -> map(depth + 1);
            case AttributeCodec.TEXT_SET -> new TextSet(set(this::text, ArgumentCheck::compareCodePoints));
            case AttributeCodec.NUMBER_SET -> new NumberSet(set(this::number, Comparator.naturalOrder()));
            case AttributeCodec.BYTES_SET -> new BytesSet(set(() -> new Bytes(bytes()), Comparator.naturalOrder()));
            default -> throw corrupt(start, "tag 0x" + HexFormat.of().toHexDigits((byte) tag), "0x01 to 0x0a");
        };
    }

    ListOf list(int depth) {
        List<AttributeValue> values = new ArrayList<>();
        for (int left = count(); left > 0; left--) {
            values.add(value(depth));
        }
        return new ListOf(values);
    }

    MapOf map(int depth) {
        Map<String, AttributeValue> entries = new LinkedHashMap<>();
        String previous = null;
        for (int left = count(); left > 0; left--) {
            int start = at;
            String name = name();
            requireAscending(start, previous, name, ArgumentCheck::compareCodePoints);
            entries.put(name, value(depth));
            previous = name;
        }
        return new MapOf(entries);
    }

    <T> Set<T> set(Supplier<T> element, Comparator<T> order) {
        Set<T> values = new LinkedHashSet<>();
        T previous = null;
        for (int left = count(); left > 0; left--) {
            int start = at;
            T value = element.get();
            requireAscending(start, previous, value, order);
            values.add(value);
            previous = value;
        }
        return values;
    }

    <T> void requireAscending(int start, @Nullable T previous, T next, Comparator<T> order) {
        if (previous != null && order.compare(previous, next) >= 0) {
            throw corrupt(start, "element out of order", "strictly ascending");
        }
    }

    String name() {
        int start = at;
        String name = text();
        int length = ArgumentCheck.utf8Length(name);
        if (length == 0 || length > SizeLimits.ATTRIBUTE_NAME_BYTES) {
            throw corrupt(start, "name of " + length + " bytes", "1 to " + SizeLimits.ATTRIBUTE_NAME_BYTES + " bytes");
        }
        return name;
    }

    BigDecimal number() {
        int start = at;
        String text = text();
        if (text.length() <= NUMBER_BYTES) {
            BigDecimal number = numberOrNull(text);
            if (number != null && number.toString().equals(text)) {
                return number;
            }
        }
        throw corrupt(start, "number " + text, "a number in canonical form");
    }

    @Nullable
    BigDecimal numberOrNull(String text) {
        try {
            return new AttributeValue.Number(new BigDecimal(text)).value();
        } catch (IllegalArgumentException e) {
            return null; // not a number, or beyond the limits
        }
    }

    String text() {
        int start = at;
        ByteBuffer utf8 = ByteBuffer.wrap(bytes());
        try {
            // Unlike new String, a new decoder reports malformed input instead of replacing it.
            String text = UTF_8.newDecoder().decode(utf8).toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException e) {
            throw corrupt(start, "malformed text", "UTF-8");
        }
        throw corrupt(start, "NUL in text", "no NUL character");
    }

    byte[] bytes() {
        int length = count();
        at += length;
        return Arrays.copyOfRange(in, at - length, at);
    }

    /** Reads how many bytes or elements follow: never more than there are bytes left, so safe to loop over. */
    int count() {
        int start = at;
        int count = varint();
        if (count > in.length - at) {
            throw corrupt(start, "count " + count, "<= " + (in.length - at));
        }
        return count;
    }

    int varint() {
        int start = at;
        int value = 0;
        for (int shift = 0; shift < 21; shift += 7) {
            int octet = octet();
            value |= (octet & 0x7f) << shift;
            if (octet == 0 && shift > 0) {
                break; // a shorter form says the same
            }
            if (octet < 0x80) {
                return value;
            }
        }
        throw corrupt(start, "count", "the shortest form, of <= 3 bytes");
    }

    int octet() {
        if (at == in.length) {
            throw corrupt(at, "end", "more bytes");
        }
        return in[at++] & 0xff;
    }

    static IllegalArgumentException corrupt(int offset, String found, String expected) {
        return ArgumentCheck.bad("attributes", "at byte " + offset + ", " + found, expected);
    }
}
