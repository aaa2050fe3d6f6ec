package dev.holdfast.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import dev.holdfast.testkit.LeaseHistory.Event;
import dev.holdfast.testkit.LeaseHistory.Kind;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The text format of one event: {@code nanos kind namespace name holder fence until}. Texts are encoded as in a URL; an
 * empty text is {@code -}.
 */
final class HistoryRecord {
    private static final String EMPTY = "-";
    private static final int FIELDS = 7;

    private HistoryRecord() {}

    static String write(Event event) {
        return String.join(
                " ",
                Long.toString(event.nanos()),
                event.kind().name().toLowerCase(Locale.ROOT),
                encode(event.key().namespace()),
                encode(event.key().name()),
                encode(event.holder()),
                Long.toString(event.fence()),
                Long.toString(event.untilNanos()));
    }

    static Event read(String line) {
        List<String> fields = List.of(line.strip().split(" ", -1));
        if (fields.size() != FIELDS) {
            throw bad(line, null);
        }
        try {
            return new Event(
                    Long.parseLong(fields.get(0)),
                    Kind.valueOf(fields.get(1).toUpperCase(Locale.ROOT)),
                    Key.of(decode(fields.get(2)), decode(fields.get(3))),
                    decode(fields.get(4)),
                    Long.parseLong(fields.get(5)),
                    Long.parseLong(fields.get(6)));
        } catch (IllegalArgumentException e) {
            throw bad(line, e);
        }
    }

    private static IllegalArgumentException bad(String line, @Nullable IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "line: " + line + " (expected: nanos kind namespace name holder fence until)", cause);
    }

    private static String encode(String text) {
        return text.isEmpty() ? EMPTY : URLEncoder.encode(text, UTF_8).replace(EMPTY, "%2D");
    }

    private static String decode(String text) {
        return text.equals(EMPTY) ? "" : URLDecoder.decode(text, UTF_8);
    }
}
