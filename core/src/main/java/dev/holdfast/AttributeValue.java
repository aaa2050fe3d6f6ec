package dev.holdfast;

import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One value of an {@linkplain Attributes attribute}: a text, a number, a boolean or bytes, or a list or map of values.
 *
 * <p>Values are immutable and held in one canonical form, so that two are equal exactly when they mean the same: 2.0
 * equals 2, and maps do not remember the order in which they were filled. A single text, number or bytes is checked
 * against {@link SizeLimits} here; depth and total size are checked when an {@link Attributes} is built.
 */
public sealed interface AttributeValue {
    static AttributeValue of(String value) {
        return new Text(value);
    }

    static AttributeValue of(long value) {
        return new Number(BigDecimal.valueOf(value));
    }

    static AttributeValue of(BigDecimal value) {
        return new Number(value);
    }

    static AttributeValue of(boolean value) {
        return new Bool(value);
    }

    /** Returns the value that holds a copy of {@code value}. */
    static AttributeValue of(byte[] value) {
        return new Bytes(value);
    }

    /** A text, perhaps empty; no NUL characters, no lone surrogates. */
    record Text(String value) implements AttributeValue {
        public Text {
            ArgumentCheck.text("text", value, SizeLimits.ATTRIBUTES_BYTES);
        }

        @Override
        public String toString() {
            return '"' + ArgumentCheck.printable(value) + '"';
        }
    }

    /**
     * A decimal number, exact. {@code value} comes back without trailing zeros, so 100 as {@code 1E+2}: compare it
     * with {@link BigDecimal#compareTo}, or read it with methods such as {@link BigDecimal#longValueExact}.
     */
    @SuppressWarnings("JavaLangClash") // it is never imported: it reads as AttributeValue.Number
    record Number(BigDecimal value) implements AttributeValue {
        // Zeros that toString may add to a whole number; above this, 1E+20 is the more readable.
        private static final int PLAIN_ZEROS = 18;

        public Number {
            Objects.requireNonNull(value, "number");
            // The exponent first: it bounds the scale, whose overflow stripTrailingZeros would report in its own way.
            long exponent = (long) value.precision() - 1 - value.scale();
            if (value.signum() != 0
                    && (exponent < SizeLimits.NUMBER_EXPONENT_MIN || exponent > SizeLimits.NUMBER_EXPONENT_MAX)) {
                String range = "0, or magnitude >= 1E" + SizeLimits.NUMBER_EXPONENT_MIN + " and < 1E+"
                        + (SizeLimits.NUMBER_EXPONENT_MAX + 1);
                throw ArgumentCheck.bad("number", value, range);
            }
            BigDecimal stripped = value.stripTrailingZeros();
            if (stripped.precision() > SizeLimits.NUMBER_DIGITS) {
                throw ArgumentCheck.bad("number", value, "<= " + SizeLimits.NUMBER_DIGITS + " significant digits");
            }
            value = stripped;
        }

        @Override
        public String toString() {
            int zeros = -value.scale();
            return zeros > 0 && zeros <= PLAIN_ZEROS ? value.toPlainString() : value.toString();
        }
    }

    /** A boolean. */
    record Bool(boolean value) implements AttributeValue {
        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    /** Bytes, perhaps none. Not a record: a record would hand out its array. */
    final class Bytes implements AttributeValue {
        private static final int SHOWN_BYTES = 16;

        private final byte[] value;

        /** Holds a copy of {@code value}. */
        public Bytes(byte[] value) {
            int length = Objects.requireNonNull(value, "bytes").length;
            if (length > SizeLimits.ATTRIBUTES_BYTES) {
                throw ArgumentCheck.bad("bytes", length + " bytes", "<= " + SizeLimits.ATTRIBUTES_BYTES + " bytes");
            }
            this.value = value.clone();
        }

        /** Returns a copy. */
        public byte[] toArray() {
            return value.clone();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bytes that && Arrays.equals(value, that.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            int shown = Math.min(value.length, SHOWN_BYTES);
            String hex = "0x" + HexFormat.of().formatHex(value, 0, shown);
            return shown == value.length ? hex : hex + "... (" + value.length + " bytes)";
        }
    }

    /** Values in an order that matters; unmodifiable. */
    record ListOf(List<AttributeValue> values) implements AttributeValue {
        public ListOf {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    /** Values by name, in code point order of the names; unmodifiable. Names follow the rules of attribute names. */
    record MapOf(Map<String, AttributeValue> entries) implements AttributeValue {
        public MapOf {
            SortedMap<String, AttributeValue> sorted = new TreeMap<>(ArgumentCheck::compareCodePoints);
            entries.forEach((name, value) -> sorted.put(
                    ArgumentCheck.nonEmptyText("attribute name", name, SizeLimits.ATTRIBUTE_NAME_BYTES),
                    Objects.requireNonNull(value, "attribute value")));
            entries = Collections.unmodifiableMap(sorted);
        }

        @Override
        public String toString() {
            return entries.toString();
        }
    }
}
