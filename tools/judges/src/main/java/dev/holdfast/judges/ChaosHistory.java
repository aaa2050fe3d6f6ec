package dev.holdfast.judges;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A recorded history: the calls of all clients with their answers, and the faults of the run. */
public final class ChaosHistory {
    private record CallId(String client, long call) {}

    private final List<HistoryLine> lines;
    private final List<HistoryCall> calls;

    private ChaosHistory(List<HistoryLine> lines) {
        this.lines = List.copyOf(lines);
        this.calls = List.copyOf(pair(this.lines));
    }

    /**
     * Reads a history.
     *
     * @throws HistoryFormatException with the number of the first line that is not in the format
     */
    public static ChaosHistory read(Path file) throws IOException {
        List<String> texts = Files.readAllLines(file);
        List<HistoryLine> lines = new ArrayList<>(texts.size());
        for (String text : texts) {
            try {
                lines.add(HistoryLine.parse(text));
            } catch (IllegalArgumentException e) {
                throw new HistoryFormatException(lines.size() + 1, String.valueOf(e.getMessage()), e);
            }
        }
        return new ChaosHistory(lines);
    }

    /** A history of these lines, in the order of a file. */
    public static ChaosHistory of(List<HistoryLine> lines) {
        return new ChaosHistory(lines);
    }

    public void write(Path file) throws IOException {
        Files.write(file, lines.stream().map(HistoryLine::text).toList());
    }

    public List<HistoryLine> lines() {
        return lines;
    }

    /** The calls in the order of their call lines. */
    public List<HistoryCall> calls() {
        return calls;
    }

    /** The lines of faults that began. */
    public List<HistoryLine> faults() {
        return lines.stream()
                .filter(line -> line.kind() == HistoryLine.Kind.FAULT)
                .toList();
    }

    private static List<HistoryCall> pair(List<HistoryLine> lines) {
        Map<CallId, HistoryCall> calls = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            try {
                add(lines.get(i), calls);
            } catch (IllegalArgumentException e) {
                throw new HistoryFormatException(i + 1, String.valueOf(e.getMessage()), e);
            }
        }
        return new ArrayList<>(calls.values());
    }

    private static void add(HistoryLine line, Map<CallId, HistoryCall> calls) {
        CallId id = new CallId(line.client(), line.call());
        HistoryCall known = calls.get(id);
        switch (line.kind()) {
            case CALL -> {
                if (known != null) {
                    throw new IllegalArgumentException("call: " + id + " (expected: a number used once)");
                }
                CallOp op = CallOp.named(line.field("op"));
                op.checkCall(line);
                calls.put(id, new HistoryCall(op, line, null));
            }
            case ANSWER -> {
                if (known == null || known.answer() != null) {
                    throw new IllegalArgumentException("answer: " + id + " (expected: one, after its call)");
                }
                known.op().checkAnswer(line);
                calls.put(id, new HistoryCall(known.op(), known.call(), line));
            }
            case FAULT, HEAL -> line.field("kind");
        }
    }
}
