package dev.holdfast.cli.output;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Minimal JSON writer that appends one value at a time. A JSON library would take longer to load than the rest of the
 * command. The caller must end each object and array that it begins.
 */
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder();
    private boolean first = true;

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    public JsonWriter name(String name) {
        separate();
        quote(name);
        out.append(':');
        first = true;
        return this;
    }

    public JsonWriter value(@Nullable String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /** Appends a number or a boolean, in its text form. */
    public JsonWriter literal(Object value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonWriter field(String name, @Nullable String value) {
        return name(name).value(value);
    }

    public JsonWriter field(String name, long value) {
        return name(name).literal(value);
    }

    /**
     * Appends a duration twice: in the server's form, such as {@code "term":"30s"}, and in milliseconds for older
     * scripts.
     */
    public JsonWriter duration(String name, Duration value) {
        return field(name, DurationText.seconds(value)).field(name + "Millis", value.toMillis());
    }

    public JsonWriter field(String name, boolean value) {
        return name(name).literal(value);
    }

    public JsonWriter attributes(Attributes attributes) {
        map(attributes.asMap());
        return this;
    }

    private void map(Map<String, AttributeValue> values) {
        beginObject();
        values.forEach((name, value) -> {
            name(name);
            element(value);
        });
        endObject();
    }

    private void element(AttributeValue value) {
        if (value instanceof AttributeValue.Text text) {
            value(text.value());
        } else if (value instanceof AttributeValue.Number number) {
            literal(number);
        } else if (value instanceof AttributeValue.Bool bool) {
            literal(bool.value());
        } else if (value instanceof AttributeValue.Bytes bytes) {
            value(Base64.getEncoder().encodeToString(bytes.toArray()));
        } else if (value instanceof AttributeValue.ListOf list) {
            beginArray();
            list.values().forEach(this::element);
            endArray();
        } else {
            map(((AttributeValue.MapOf) value).entries());
        }
    }

    private JsonWriter open(char bracket) {
        separate();
        out.append(bracket);
        first = true;
        return this;
    }

    private JsonWriter close(char bracket) {
        out.append(bracket);
        first = false;
        return this;
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // Also escapes characters that JSON allows but that disturb terminals or line-based readers.
                    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == '\u2028' || c == '\u2029') {
                        out.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
