package dev.holdfast.judges;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of a history: {@code STAMP CLIENT CALL KIND name=value ...}.
 *
 * @param stamp the time of the harness in nanoseconds
 * @param client the life of a client, for example {@code c3.2}; {@code harness} for faults
 * @param call the number of the call, unique within the life; 0 for faults
 */
public record HistoryLine(long stamp, String client, long call, Kind kind, Map<String, String> fields) {
    /** Kinds of lines. */
    public enum Kind {
        CALL,
        ANSWER,
        FAULT,
        HEAL;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int FIELDS_FROM = 4;

    public HistoryLine {
        if (client.isEmpty() || client.indexOf(' ') >= 0) {
            throw new IllegalArgumentException("client: '" + client + "' (expected: a word)");
        }
        if (call < 0) {
            throw new IllegalArgumentException("call: " + call + " (expected: >= 0)");
        }
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Parses one line. */
    public static HistoryLine parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length < FIELDS_FROM) {
            throw new IllegalArgumentException("'" + text + "' (expected: STAMP CLIENT CALL KIND fields)");
        }
        return new HistoryLine(
                FieldText.number("stamp", words[0]),
                words[1],
                FieldText.number("call", words[2]),
                kind(words[3]),
                FieldText.parse(words, FIELDS_FROM));
    }

    private static Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind: '" + word + "' (expected: call, answer, fault or heal)");
    }

    /** The line as it stands in a file, without its end. */
    public String text() {
        String start = stamp + " " + client + " " + call + " " + kind.word();
        return fields.isEmpty() ? start : start + " " + FieldText.join(fields);
    }

    /** The value of a field that the line must have. */
    public String field(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + ": missing (expected: a field of this line)");
        }
        return value;
    }

    /** The value of a field; null if the line does not have it. */
    public @Nullable String optional(String name) {
        return fields.get(name);
    }

    /** The number in a field that the line must have. */
    public long number(String name) {
        return FieldText.number(name, field(name));
    }
}
