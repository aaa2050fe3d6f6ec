package dev.holdfast;

import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data that a user keeps with a lease: named values, in code point order of the names. Immutable and thread-safe.
 *
 * <p>Building one checks every limit of {@link SizeLimits} and throws {@link IllegalArgumentException} when it is exceeded.
 * Two are equal when they hold equal values under the same names.
 */
public final class Attributes {
    /** No attributes. */
    public static final Attributes NONE = new Attributes(new MapOf(Map.of()));

    private final byte[] encoded;

    // Decoded at first look, since most entries read from a store are never looked into. Two threads may both decode:
    // they get equal values, and a record's final fields make either safe to see without a lock.
    private @Nullable MapOf decoded;

    private Attributes(MapOf values) {
        this.encoded = AttributeCodec.encode(values);
        this.decoded = values;
    }

    private Attributes(byte[] encoded) {
        this.encoded = encoded;
    }

    public static Attributes of(String name, String value) {
        return of(name, AttributeValue.of(value));
    }

    public static Attributes of(String name, AttributeValue value) {
        return NONE.with(name, value);
    }

    public static Attributes of(Map<String, AttributeValue> values) {
        return values.isEmpty() ? NONE : new Attributes(new MapOf(values));
    }

    /**
     * Returns the attributes that {@link #encoded} wrote as {@code encoded}, of which this takes a copy.
     *
     * <p>Only the length is checked now. Corrupt bytes are found at the first look at a name or value, and at every
     * look after it: then the method called throws {@link IllegalArgumentException}, with a message such as
     * {@code attributes: at byte 7, tag 0x2a (expected: 0x01 to 0x0a)}. Comparing, printing and
     * {@linkplain #encoded re-encoding} corrupt attributes never throws.
     *
     * @throws IllegalArgumentException if {@code encoded} is longer than {@link SizeLimits#ATTRIBUTES_BYTES}
     */
    public static Attributes decode(byte[] encoded) {
        if (encoded.length > SizeLimits.ATTRIBUTES_BYTES) {
            throw ArgumentCheck.bad(
                    "attributes", encoded.length + " bytes", "<= " + SizeLimits.ATTRIBUTES_BYTES + " bytes");
        }
        return Arrays.equals(encoded, NONE.encoded) ? NONE : new Attributes(encoded.clone());
    }

    public Optional<AttributeValue> get(String name) {
        return Optional.ofNullable(asMap().get(name));
    }

    /** Returns the text under {@code name}; empty if there is nothing, or something that is not a text. */
    public Optional<String> text(String name) {
        return get(name, AttributeValue.Text.class).map(AttributeValue.Text::value);
    }

    /** Returns the number under {@code name}; empty if there is nothing, or something that is not a number. */
    public Optional<BigDecimal> number(String name) {
        return get(name, AttributeValue.Number.class).map(AttributeValue.Number::value);
    }

    /** Returns the boolean under {@code name}; empty if there is nothing, or something that is not a boolean. */
    public Optional<Boolean> bool(String name) {
        return get(name, AttributeValue.Bool.class).map(AttributeValue.Bool::value);
    }

    /** Returns the names, in code point order; unmodifiable. */
    public Set<String> names() {
        return asMap().keySet();
    }

    /** Returns the values by name, in code point order of the names; unmodifiable. */
    public Map<String, AttributeValue> asMap() {
        return decoded().entries();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public int size() {
        return asMap().size();
    }

    /** Returns these attributes with {@code value} under {@code name}, in place of any there. */
    public Attributes with(String name, AttributeValue value) {
        Map<String, AttributeValue> values = new HashMap<>(asMap());
        values.put(Objects.requireNonNull(name, "attribute name"), value);
        return of(values);
    }

    public Attributes with(String name, String value) {
        return with(name, AttributeValue.of(value));
    }

    public Attributes with(String name, long value) {
        return with(name, AttributeValue.of(value));
    }

    public Attributes with(String name, boolean value) {
        return with(name, AttributeValue.of(value));
    }

    /** Returns these attributes without the one under {@code name}, if there is one. */
    public Attributes without(String name) {
        return asMap().containsKey(name) ? merge(Set.of(name), NONE) : this;
    }

    /** Returns these attributes without {@code removed}, and then with {@code put}. */
    Attributes merge(Set<String> removed, Attributes put) {
        Map<String, AttributeValue> values = new HashMap<>(asMap());
        values.keySet().removeAll(removed);
        values.putAll(put.asMap());
        return of(values);
    }

    /**
     * Returns a copy of the encoding, for {@link #decode}. It is canonical: equal attributes give equal bytes, unless
     * one of them was stored by an early version of the library and has a set, which is read as a list.
     */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** Returns the length of {@link #encoded} in bytes. */
    public int encodedSize() {
        return encoded.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Attributes that
                && (Arrays.equals(encoded, that.encoded) || readable().equals(that.readable()));
    }

    @Override
    public int hashCode() {
        return readable().hashCode();
    }

    @Override
    public String toString() {
        Object readable = readable(); // a log line must not fail for what it reports
        return readable instanceof MapOf ? readable.toString() : "{corrupt, " + encoded.length + " bytes}";
    }

    /** Returns the values, or the bytes if they are corrupt. */
    private Object readable() {
        try {
            return decoded();
        } catch (IllegalArgumentException e) {
            return ByteBuffer.wrap(encoded);
        }
    }

    private <T extends AttributeValue> Optional<T> get(String name, Class<T> type) {
        return get(name).filter(type::isInstance).map(type::cast);
    }

    private MapOf decoded() {
        MapOf values = decoded;
        if (values == null) {
            values = AttributeCodec.decode(encoded);
            decoded = values;
        }
        return values;
    }
}
