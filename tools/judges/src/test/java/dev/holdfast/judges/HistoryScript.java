package dev.holdfast.judges;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A history written by a test: calls with their start, end and answer, on one key. Times are milliseconds. */
final class HistoryScript {
    static final String KEY = "k1";
    static final int TERM = 100;
    private static final long MILLI = 1_000_000;

    private final List<HistoryLine> lines = new ArrayList<>();
    private final String key;
    private int calls;

    HistoryScript() {
        this(KEY);
    }

    HistoryScript(String key) {
        this.key = key;
    }

    /** Adds a call by {@code client} and its answer. Both are fields as they stand in a file. */
    HistoryScript call(String client, int start, int end, String call, String answer) {
        calls++;
        lines.add(new HistoryLine(start * MILLI, client, calls, HistoryLine.Kind.CALL, withKey(call)));
        lines.add(new HistoryLine(end * MILLI, client, calls, HistoryLine.Kind.ANSWER, fields(answer)));
        return this;
    }

    /** Adds a call that has no answer. */
    HistoryScript unanswered(String client, int start, String call) {
        calls++;
        lines.add(new HistoryLine(start * MILLI, client, calls, HistoryLine.Kind.CALL, withKey(call)));
        return this;
    }

    HistoryScript fault(int at, String kind) {
        lines.add(new HistoryLine(at * MILLI, "harness", 0, HistoryLine.Kind.FAULT, Map.of("kind", kind)));
        return this;
    }

    HistoryScript granted(String client, int start, int end, String token, int fence) {
        return call(
                client,
                start,
                end,
                "op=acquire token=" + token + " term=" + TERM * MILLI,
                "out=granted fence=" + fence);
    }

    HistoryScript held(String client, int start, int end, String token) {
        return call(client, start, end, "op=acquire token=" + token + " term=" + TERM * MILLI, "out=held");
    }

    HistoryScript lostAcquire(String client, int start, String token) {
        return unanswered(client, start, "op=acquire token=" + token + " term=" + TERM * MILLI);
    }

    HistoryScript renewed(String client, int start, int end, String token) {
        return call(client, start, end, "op=renew token=" + token + " term=" + TERM * MILLI, "out=ok");
    }

    HistoryScript released(String client, int start, int end, String token) {
        return call(client, start, end, "op=release token=" + token, "out=ok");
    }

    HistoryScript done(String client, int start, int end, String token) {
        return call(client, start, end, "op=done token=" + token, "out=ok");
    }

    HistoryScript updated(String client, int start, int end, String token, String value) {
        return call(client, start, end, "op=update token=" + token + " value=" + value, "out=ok");
    }

    HistoryScript read(String client, int start, int end, String state, int fence, String value) {
        return call(client, start, end, "op=get", "out=state state=" + state + " fence=" + fence + " value=" + value);
    }

    HistoryScript believed(String client, int start, int end, int fence) {
        return call(client, start, end, "op=believe fence=" + fence, "out=true");
    }

    private Map<String, String> withKey(String call) {
        Map<String, String> fields = new LinkedHashMap<>(fields(call));
        fields.put("list".equals(fields.get("op")) ? "keys" : "key", key);
        return fields;
    }

    private static Map<String, String> fields(String text) {
        return FieldText.parse(text.split(" ", -1), 0);
    }

    List<HistoryLine> lines() {
        return lines.stream()
                .sorted(Comparator.comparingLong(HistoryLine::stamp))
                .toList();
    }

    ChaosHistory history() {
        return ChaosHistory.of(lines());
    }

    JudgeReport judged() {
        return LinearizabilityJudge.judge(history());
    }
}
