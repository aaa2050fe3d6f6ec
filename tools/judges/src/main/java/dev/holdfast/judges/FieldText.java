package dev.holdfast.judges;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The text form of fields: {@code name=value}, one space between them, values percent-encoded where needed. */
final class FieldText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private FieldText() {}

    /** Encodes spaces, percent signs, the characters of {@code also}, and everything that is not printable ASCII. */
    static String encode(String value, String also) {
        StringBuilder text = new StringBuilder(value.length());
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = each > ' ' && each < 0x7f && each != '%' && also.indexOf(each) < 0;
            if (plain) {
                text.append((char) each);
            } else {
                text.append('%').append(HEX.toHexDigits(each));
            }
        }
        return text.toString();
    }

    static String decode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] value = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                value[length++] = bytes[i];
            } else if (i + 2 < bytes.length && isHex(bytes[i + 1]) && isHex(bytes[i + 2])) {
                value[length++] =
                        (byte) HexFormat.fromHexDigits(new String(bytes, i + 1, 2, StandardCharsets.US_ASCII));
                i += 2;
            } else {
                throw new IllegalArgumentException("value: " + text + " (expected: two hex digits after each %)");
            }
        }
        return new String(value, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isHex(byte digit) {
        return HexFormat.isHexDigit(digit);
    }

    /** The fields of {@code words}, from the word number {@code from} on. */
    static Map<String, String> parse(String[] words, int from) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String word : Arrays.asList(words).subList(from, words.length)) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("field: '" + word + "' (expected: name=value)");
            }
            String name = word.substring(0, equals);
            if (fields.put(name, decode(word.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("field: " + name + " (expected: once)");
            }
        }
        return fields;
    }

    static String join(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encode(field.getValue(), ""))
                .collect(Collectors.joining(" "));
    }

    static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": '" + text + "' (expected: a whole number)", e);
        }
    }
}
