package dev.holdfast.judges;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of a witness: {@code SEQ KIND name=value ...}, one committed change of the protected resource.
 *
 * @param sequence its place in the order of commits
 */
public record WitnessLine(long sequence, Kind kind, Map<String, String> fields) {
    /** Kinds of changes. */
    public enum Kind {
        /** A read-modify-write of a counter or cell. */
        WRITE,
        /** The job of a process-once key. */
        WORK;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int FIELDS_FROM = 2;

    public WitnessLine {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        for (String name : new String[] {"key", "client"}) {
            required(fields, name);
        }
        FieldText.number("fence", required(fields, "fence"));
        if (kind == Kind.WRITE) {
            required(fields, "before");
            required(fields, "after");
        }
    }

    private static String required(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + ": missing (expected: a field of this line)");
        }
        return value;
    }

    /** Parses one line. */
    public static WitnessLine parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length < FIELDS_FROM) {
            throw new IllegalArgumentException("'" + text + "' (expected: SEQ KIND fields)");
        }
        return new WitnessLine(
                FieldText.number("sequence", words[0]), kind(words[1]), FieldText.parse(words, FIELDS_FROM));
    }

    private static Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind: '" + word + "' (expected: write or work)");
    }

    /** The line as it stands in a file, without its end. */
    public String text() {
        return sequence + " " + kind.word() + " " + FieldText.join(fields);
    }

    public String key() {
        return required(fields, "key");
    }

    public long fence() {
        return FieldText.number("fence", required(fields, "fence"));
    }

    /** The life of the client that made the change, named as in the history. */
    public String client() {
        return required(fields, "client");
    }

    /** The number of the call in that life, if the witness notes it; else null. */
    public @Nullable Long call() {
        String call = fields.get("call");
        return call == null ? null : (Long) FieldText.number("call", call);
    }

    public String before() {
        return required(fields, "before");
    }

    public String after() {
        return required(fields, "after");
    }
}
