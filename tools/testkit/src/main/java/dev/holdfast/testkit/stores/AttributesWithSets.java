package dev.holdfast.testkit.stores;

import dev.holdfast.AttributeValue;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.Attributes;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Attributes of every type, as the code of 16 November 2026 encoded them: it still had sets of texts, numbers and bytes.
 * Every store must keep such bytes readable.
 */
public final class AttributesWithSets {
    private static final String ENCODED =
            "010b05626c6f62730a030001010180056279746573050400ff7f80046c69737406030101610600080300016102c3a903"
                    + "6d6170070105696e6e6572070205626c6f62730a030001010180076e756d626572730903282d31323334353637383930"
                    + "313233343536373839302e3132333435363738393031323334353637380431452b312c392e3939393939393939393939"
                    + "3939393939393939393939393939393939393939393939393939452b313235026e6f03046e6f6e650800066e756d6265"
                    + "7202282d31323334353637383930313233343536373839302e313233343536373839303132333435363738076e756d62"
                    + "6572730903282d31323334353637383930313233343536373839302e3132333435363738393031323334353637380431"
                    + "452b312c392e39393939393939393939393939393939393939393939393939393939393939393939393939452b313235"
                    + "0474657874010b68c3a96c6c6f20f09f9a80057465787473080300016102c3a90379657304";

    private static final BigDecimal LONGEST = new BigDecimal("-12345678901234567890.123456789012345678");
    private static final BigDecimal LARGEST = new BigDecimal("9".repeat(38) + "E+88");
    private static final ListOf TEXTS = list(text(""), text("a"), text("\u00e9"));
    private static final ListOf NUMBERS =
            list(AttributeValue.of(LONGEST), AttributeValue.of(10), AttributeValue.of(LARGEST));
    private static final ListOf BLOBS = list(bytes(), bytes(1), bytes(-128));

    private AttributesWithSets() {}

    /** Returns the attributes as they are stored, with three kinds of sets. */
    public static Attributes stored() {
        return Attributes.decode(HexFormat.of().parseHex(ENCODED));
    }

    /** Returns the values that they must be read as: each set is the list of its elements, in ascending order. */
    public static Map<String, AttributeValue> values() {
        MapOf inner = new MapOf(Map.of("numbers", NUMBERS, "blobs", BLOBS));
        return Map.ofEntries(
                Map.entry("text", text("h\u00e9llo \uD83D\uDE80")),
                Map.entry("number", AttributeValue.of(LONGEST)),
                Map.entry("yes", AttributeValue.of(true)),
                Map.entry("no", AttributeValue.of(false)),
                Map.entry("bytes", bytes(0, -1, 127, -128)),
                Map.entry("list", list(text("a"), list(), TEXTS)),
                Map.entry("map", new MapOf(Map.of("inner", inner))),
                Map.entry("texts", TEXTS),
                Map.entry("numbers", NUMBERS),
                Map.entry("blobs", BLOBS),
                Map.entry("none", list()));
    }

    private static ListOf list(AttributeValue... values) {
        return new ListOf(List.of(values));
    }

    private static AttributeValue text(String text) {
        return AttributeValue.of(text);
    }

    private static AttributeValue bytes(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        return AttributeValue.of(bytes);
    }
}
