package dev.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.AttributeValue.Bool;
import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.AttributeValue.Text;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one binary encoding of attributes.
 *
 * <pre>
 * attributes = 0x01 map               ; the format version, then the top level
 * map        = count *(text value)    ; names strictly ascending by code point, none empty
 * value      = 0x01 text
 *            / 0x02 number
 *            / 0x03                   ; false
 *            / 0x04                   ; true
 *            / 0x05 bytes
 *            / 0x06 count *value      ; list
 *            / 0x07 map
 *            / 0x08 count *text       ; no longer written: a set, strictly ascending by code point
 *            / 0x09 count *number     ; no longer written: a set, strictly ascending by value
 *            / 0x0a count *bytes      ; no longer written: a set, strictly ascending as unsigned bytes
 * text       = bytes                  ; UTF-8, without NUL
 * number     = text                   ; BigDecimal.toString() of the number without trailing zeros, zero as "0"
 * bytes      = count *OCTET           ; that many
 * count      = 1*3OCTET               ; unsigned LEB128, in its shortest form
 * </pre>
 *
 * <p>Early versions of the library had sets. A stored set is read as the list of its elements, in their order.
 *
 * <p>The encoding is canonical: equal attributes are encoded to equal bytes. The decoder rejects bytes that no encoder
 * has ever written. Both enforce the limits on count, depth and total size, and the work and memory of both are bounded
 * by {@link SizeLimits#ATTRIBUTES_BYTES}, for any input.
 *
 * <p>Stored bytes outlive the library that wrote them. Change this only by adding a version, and read both.
 */
final class AttributeCodec {
    private static final int VERSION = 0x01;

    private static final int TEXT = 0x01;
    private static final int NUMBER = 0x02;
    private static final int FALSE = 0x03;
    private static final int TRUE = 0x04;
    private static final int BYTES = 0x05;
    private static final int LIST = 0x06;
    private static final int MAP = 0x07;
    private static final int TEXT_SET = 0x08;
    private static final int NUMBER_SET = 0x09;
    private static final int BYTES_SET = 0x0a;

    // Longer than any canonical number, such as -0.000001234... with 38 digits or -1.234...E-130.
    private static final int NUMBER_BYTES = 64;

    private AttributeCodec() {}

    /** Returns the encoding of {@code attributes}, or throws {@link IllegalArgumentException} for an exceeded limit. */
    static byte[] encode(MapOf attributes) {
        requireFewNames(attributes);
        ValueEncoder encoder = new ValueEncoder();
        encoder.octet(VERSION);
        encoder.map(attributes, 1);
        return encoder.out.toByteArray();
    }

    /** Returns the attributes of an encoding, or throws {@link IllegalArgumentException}. */
    static MapOf decode(byte[] encoded) {
        ValueDecoder decoder = new ValueDecoder(encoded);
        int version = decoder.octet();
        if (version != VERSION) {
            throw corrupt(0, "version " + version, "version " + VERSION);
        }
        MapOf attributes = decoder.map(1);
        if (decoder.at < encoded.length) {
            throw corrupt(decoder.at, "trailing bytes", "the end");
        }
        requireFewNames(attributes);
        return attributes;
    }

    private static void requireFewNames(MapOf attributes) {
        int count = attributes.entries().size();
        if (count > SizeLimits.ATTRIBUTE_COUNT) {
            throw ArgumentCheck.bad("attributes", count + " names", "<= " + SizeLimits.ATTRIBUTE_COUNT + " names");
        }
    }

    private static void requireShallow(int depth) {
        if (depth > SizeLimits.ATTRIBUTE_DEPTH) {
            throw ArgumentCheck.bad("attributes", "depth " + depth, "depth <= " + SizeLimits.ATTRIBUTE_DEPTH);
        }
    }

    private static IllegalArgumentException corrupt(int offset, String found, String expected) {
        return ArgumentCheck.bad("attributes", "at byte " + offset + ", " + found, expected);
    }

    private static final class ValueEncoder {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        void value(AttributeValue value, int depth) {
            requireShallow(depth);
            if (value instanceof Text text) {
                octet(TEXT);
                text(text.value());
            } else if (value instanceof AttributeValue.Number number) {
                octet(NUMBER);
                text(number.value().toString());
            } else if (value instanceof Bool bool) {
                octet(bool.value() ? TRUE : FALSE);
            } else if (value instanceof Bytes bytes) {
                octet(BYTES);
                bytes(bytes.toArray());
            } else if (value instanceof ListOf list) {
                octet(LIST);
                count(list.values().size());
                list.values().forEach(element -> value(element, depth + 1));
            } else {
                octet(MAP);
                map((MapOf) value, depth + 1);
            }
        }

        void map(MapOf map, int depth) {
            count(map.entries().size());
            map.entries().forEach((name, value) -> {
                text(name);
                value(value, depth);
            });
        }

        void text(String text) {
            bytes(text.getBytes(UTF_8));
        }

        void bytes(byte[] bytes) {
            count(bytes.length);
            requireRoom(bytes.length);
            out.writeBytes(bytes);
        }

        void count(int count) {
            requireRoom(count); // everything counted takes a byte; this also keeps the count within three octets
            int rest = count;
            while (rest >= 0x80) {
                octet((rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            octet(rest);
        }

        void octet(int octet) {
            requireRoom(1);
            out.write(octet);
        }

        private void requireRoom(int bytes) {
            if (bytes > SizeLimits.ATTRIBUTES_BYTES - out.size()) {
                String limit = SizeLimits.ATTRIBUTES_BYTES + " bytes";
                throw ArgumentCheck.bad("attributes", "> " + limit, "<= " + limit);
            }
        }
    }

    private static final class ValueDecoder {
        private final byte[] in;
        private int at;

        ValueDecoder(byte[] in) {
            this.in = in;
        }

        AttributeValue value(int depth) {
            requireShallow(depth);
            int start = at;
            int tag = octet();
            return switch (tag) {
                case TEXT -> new Text(text());
                case NUMBER -> number();
                case FALSE -> new Bool(false);
                case TRUE -> new Bool(true);
                case BYTES -> new Bytes(bytes());
                case LIST -> list(() -> value(depth + 1), null);
                case MAP -> map(depth + 1);
                case TEXT_SET ->
                    list(() -> new Text(text()), Comparator.comparing(Text::value, ArgumentCheck::compareCodePoints));
                case NUMBER_SET -> list(this::number, Comparator.comparing(AttributeValue.Number::value));
                case BYTES_SET ->
                    list(() -> new Bytes(bytes()), Comparator.comparing(Bytes::toArray, Arrays::compareUnsigned));
                default -> throw corrupt(start, "tag 0x" + HexFormat.of().toHexDigits((byte) tag), "0x01 to 0x0a");
            };
        }

        /** @param order in which the elements must strictly ascend, if they must */
        <T extends AttributeValue> ListOf list(Supplier<T> element, @Nullable Comparator<T> order) {
            List<AttributeValue> values = new ArrayList<>();
            T previous = null;
            for (int left = count(); left > 0; left--) {
                int start = at;
                T value = element.get();
                requireAscending(start, order == null || previous == null ? -1 : order.compare(previous, value));
                values.add(value);
                previous = value;
            }
            return new ListOf(values);
        }

        MapOf map(int depth) {
            Map<String, AttributeValue> entries = new LinkedHashMap<>();
            String previous = ""; // before all names, as none is empty
            for (int left = count(); left > 0; left--) {
                int start = at;
                String name = text();
                int length = ArgumentCheck.utf8Length(name);
                if (length == 0 || length > SizeLimits.ATTRIBUTE_NAME_BYTES) {
                    throw corrupt(
                            start,
                            "name of " + length + " bytes",
                            "1 to " + SizeLimits.ATTRIBUTE_NAME_BYTES + " bytes");
                }
                requireAscending(start, ArgumentCheck.compareCodePoints(previous, name));
                entries.put(name, value(depth));
                previous = name;
            }
            return new MapOf(entries);
        }

        private static void requireAscending(int start, int comparison) {
            if (comparison >= 0) {
                throw corrupt(start, "element out of order", "strictly ascending");
            }
        }

        AttributeValue.Number number() {
            int start = at;
            String text = text();
            if (text.length() <= NUMBER_BYTES) {
                try {
                    AttributeValue.Number number = new AttributeValue.Number(new BigDecimal(text));
                    if (number.value().toString().equals(text)) {
                        return number;
                    }
                } catch (IllegalArgumentException e) {
                    // not a number, or beyond the limits
                }
            }
            throw corrupt(start, "number " + text, "a number in canonical form");
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
            int count = 0;
            int octet = 0x80;
            for (int shift = 0; octet >= 0x80; shift += 7) {
                octet = octet();
                count |= (octet & 0x7f) << shift;
                if ((shift > 0 && octet == 0) || (shift == 14 && octet >= 0x80)) {
                    throw corrupt(start, "count", "the shortest form, of <= 3 bytes");
                }
            }
            if (count > in.length - at) {
                throw corrupt(start, "count " + count, "<= " + (in.length - at));
            }
            return count;
        }

        int octet() {
            if (at == in.length) {
                throw corrupt(at, "end", "more bytes");
            }
            return in[at++] & 0xff;
        }
    }
}
