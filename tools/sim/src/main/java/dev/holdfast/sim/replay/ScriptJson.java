package dev.holdfast.sim.replay;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON of maps, lists, texts and numbers, escaped so that a script element of a page can contain it. */
final class ScriptJson {
    private final StringBuilder json = new StringBuilder();

    private ScriptJson() {}

    static String of(Object value) {
        ScriptJson writer = new ScriptJson();
        writer.write(value);
        return writer.json.toString();
    }

    private void write(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> field : map.entrySet()) {
                json.append(separator);
                quote(Objects.toString(field.getKey()));
                json.append(':');
                write(field.getValue());
                separator = ",";
            }
            json.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            json.append('[');
            String separator = "";
            for (Object item : list) {
                json.append(separator);
                write(item);
                separator = ",\n";
            }
            json.append(']');
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else {
            quote(value.toString());
        }
    }

    private void quote(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            // With "<" escaped, no text can end the script element or begin a comment in it.
            boolean isPlain = letter >= ' ' && letter < 127 && "\"\\<>&'".indexOf(letter) < 0;
            json.append(isPlain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
        }
        json.append('"');
    }
}
