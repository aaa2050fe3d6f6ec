package dev.holdfast.judges;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The operations of a history, with the fields and the answers that each of them has. */
public enum CallOp {
    ACQUIRE("key term", "granted:fence held done"),
    RENEW("key token term", "ok lost"),
    RELEASE("key token", "ok lost"),
    DONE("key token", "ok lost"),
    UPDATE("key token value", "ok lost"),
    REOPEN("key", "ok refused"),
    EVICT("key", "ok refused"),
    GET("key", "state:state absent"),
    LIST("keys", "listed:items"),
    BELIEVE("key fence", "true false"),
    WRITE("key fence", "ok:before,after rejected"),
    WORK("key fence", "ok rejected");

    static final Set<String> STATES = Set.of("FREE", "HELD", "DONE");

    /** The answer of a call that certainly had no effect. */
    public static final String FAILED = "failed";

    /** The answer of a call that may have had, or may still have, its effect. */
    public static final String UNKNOWN = "unknown";

    private final String callFields;
    private final String answers;

    /**
     * @param callFields the fields of every call
     * @param answers the answers beside failed and unknown, each with the fields that it must have
     */
    CallOp(String callFields, String answers) {
        this.callFields = callFields;
        this.answers = answers;
    }

    static CallOp named(String word) {
        for (CallOp op : values()) {
            if (op.word().equals(word)) {
                return op;
            }
        }
        throw new IllegalArgumentException("op: '" + word + "' (expected: an operation of the format)");
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    void checkCall(HistoryLine line) {
        for (String name : callFields.split(" ", -1)) {
            line.field(name);
        }
        checkFence(line);
        if (line.optional("term") != null && line.number("term") <= 0) {
            throw new IllegalArgumentException("term: " + line.field("term") + " (expected: > 0)");
        }
    }

    void checkAnswer(HistoryLine line) {
        String out = line.field("out");
        if (!out.equals(FAILED) && !out.equals(UNKNOWN)) {
            fieldsOf(out).forEach(line::field);
        }
        checkFence(line);
        String state = line.optional("state");
        if (state != null && !STATES.contains(state)) {
            throw new IllegalArgumentException("state: '" + state + "' (expected: one of " + STATES + ")");
        }
        if (this == LIST && out.equals("listed")) {
            ListedEntry.parse(line.field("items"));
        }
    }

    private List<String> fieldsOf(String out) {
        for (String answer : answers.split(" ", -1)) {
            int colon = answer.indexOf(':');
            if (colon < 0 && answer.equals(out)) {
                return List.of();
            }
            if (colon >= 0 && answer.substring(0, colon).equals(out)) {
                return List.of(answer.substring(colon + 1).split(",", -1));
            }
        }
        throw new IllegalArgumentException("out: '" + out + "' (expected: an answer to " + word() + ")");
    }

    private static void checkFence(HistoryLine line) {
        if (line.optional("fence") != null) {
            line.number("fence");
        }
    }
}
