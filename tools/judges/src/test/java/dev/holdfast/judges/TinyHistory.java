package dev.holdfast.judges;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A random history of a few calls on one key, most of them nonsense, with small numbers as stamps. */
final class TinyHistory {
    static final int LAST = 9;
    static final int TERM = 3;
    private static final List<String> TOKENS = List.of("A", "B", "C");

    private final Random random;
    private final List<HistoryLine> lines = new ArrayList<>();

    private TinyHistory(long seed) {
        this.random = new Random(seed);
    }

    static ChaosHistory of(long seed, int calls) {
        TinyHistory tiny = new TinyHistory(seed);
        for (int call = 1; call <= calls; call++) {
            tiny.add(call);
        }
        tiny.lines.sort(Comparator.comparingLong(HistoryLine::stamp));
        return ChaosHistory.of(tiny.lines);
    }

    private void add(int call) {
        int start = random.nextInt(LAST);
        int end = start + random.nextInt(Math.min(5, LAST - start) + 1);
        Map<String, String> asked = new TreeMap<>(Map.of("key", "k"));
        Map<String, String> answer = new TreeMap<>();
        String token = TOKENS.get(random.nextInt(TOKENS.size()));
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> {
                asked.putAll(Map.of("op", "acquire", "token", TOKENS.get(call % TOKENS.size()), "term", "" + TERM));
                if (random.nextInt(4) > 0) {
                    answer.putAll(Map.of("out", "granted", "fence", "" + (1 + random.nextInt(3))));
                } else {
                    answer.put("out", random.nextBoolean() ? "held" : "unknown");
                }
            }
            case 4 -> {
                asked.putAll(Map.of("op", "renew", "token", token, "term", "" + TERM));
                answer.put("out", "ok");
            }
            case 5 -> {
                asked.putAll(Map.of("op", "release", "token", token));
                answer.put("out", random.nextInt(3) > 0 ? "ok" : "unknown");
            }
            case 6 -> {
                asked.putAll(Map.of("op", "update", "token", token, "value", "" + call));
                answer.put("out", random.nextInt(3) > 0 ? "ok" : "unknown");
            }
            case 7 -> {
                asked.putAll(Map.of("op", "done", "token", token));
                answer.put("out", "ok");
            }
            case 8 -> {
                asked.put("op", "evict");
                answer.put("out", random.nextBoolean() ? "ok" : "unknown");
            }
            case 9 -> {
                asked.put("op", "reopen");
                answer.put("out", random.nextBoolean() ? "ok" : "unknown");
            }
            case 10 -> {
                asked.putAll(Map.of("op", "believe", "fence", "" + (1 + random.nextInt(3))));
                answer.put("out", "true");
            }
            case 11 -> {
                asked.putAll(Map.of("op", "release", "token", token));
                answer.put("out", "lost");
            }
            default -> {
                asked.put("op", "get");
                String state = List.of("HELD", "HELD", "FREE", "DONE").get(random.nextInt(4));
                String value = random.nextInt(3) > 0 ? "" : "" + (1 + random.nextInt(call));
                answer.putAll(
                        Map.of("out", "state", "state", state, "fence", "" + (1 + random.nextInt(3)), "value", value));
            }
        }
        lines.add(new HistoryLine(start, "c" + call, call, HistoryLine.Kind.CALL, asked));
        if (!"unknown".equals(answer.get("out")) || random.nextBoolean()) {
            lines.add(new HistoryLine(end, "c" + call, call, HistoryLine.Kind.ANSWER, answer));
        }
    }
}
