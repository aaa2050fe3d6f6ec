package dev.holdfast;

import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;

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
 *            / 0x08 count *text       ; set, strictly ascending by code point
 *            / 0x09 count *number     ; set, strictly ascending by value
 *            / 0x0a count *bytes      ; set, strictly ascending as unsigned bytes
 * text       = bytes                  ; UTF-8, without NUL
 * number     = text                   ; BigDecimal.toString() of the number without trailing zeros, zero as "0"
 * bytes      = count *OCTET           ; that many
 * count      = 1*3OCTET               ; unsigned LEB128, in its shortest form
 * </pre>
 *
 * <p>The encoding is canonical: equal attributes give equal bytes, so stores and {@code equals} may compare bytes. The
 * decoder rejects bytes that the encoder would not have written, so that decoded attributes encode to the same bytes. Both enforce the limits on count, depth and total size, and the work and memory of
 * both are bounded by {@link SizeLimits#ATTRIBUTES_BYTES}, for any input.
 *
 * <p>Stored bytes outlive the library that wrote them. Change this only by adding a version, and read both.
 */
final class AttributeCodec {
    static final int VERSION = 0x01;

    static final int TEXT = 0x01;
    static final int NUMBER = 0x02;
    static final int FALSE = 0x03;
    static final int TRUE = 0x04;
    static final int BYTES = 0x05;
    static final int LIST = 0x06;
    static final int MAP = 0x07;
    static final int TEXT_SET = 0x08;
    static final int NUMBER_SET = 0x09;
    static final int BYTES_SET = 0x0a;

    private AttributeCodec() {}

    /** Returns the encoding of {@code attributes}, or throws {@link IllegalArgumentException} for an exceeded limit. */
    static byte[] encode(MapOf attributes) {
        requireFewNames(attributes.entries().size());
        AttributeWriter writer = new AttributeWriter();
        writer.octet(VERSION);
        writer.map(attributes, 1);
        return writer.toByteArray();
    }

    /** Returns the attributes of an encoding, or throws {@link IllegalArgumentException}. */
    static MapOf decode(byte[] encoded) {
        requireFewBytes(encoded.length);
        AttributeReader reader = new AttributeReader(encoded);
        reader.version();
        MapOf attributes = reader.map(1);
        reader.end();
        requireFewNames(attributes.entries().size());
        return attributes;
    }

    static void requireFewNames(int count) {
        if (count > SizeLimits.ATTRIBUTE_COUNT) {
            throw ArgumentCheck.bad("attributes", count + " names", "<= " + SizeLimits.ATTRIBUTE_COUNT + " names");
        }
    }

    static void requireFewBytes(int count) {
        if (count > SizeLimits.ATTRIBUTES_BYTES) {
            String limit = SizeLimits.ATTRIBUTES_BYTES + " bytes";
            throw ArgumentCheck.bad("attributes", "> " + limit, "<= " + limit);
        }
    }

    static void requireShallow(int depth) {
        if (depth > SizeLimits.ATTRIBUTE_DEPTH) {
            throw ArgumentCheck.bad("attributes", "depth " + depth, "depth <= " + SizeLimits.ATTRIBUTE_DEPTH);
        }
    }
}
