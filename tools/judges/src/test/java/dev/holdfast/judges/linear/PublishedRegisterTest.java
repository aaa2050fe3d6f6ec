package dev.holdfast.judges.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.judges.CallOp;
import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.HistoryLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The search on published histories of a register with compare-and-set. They are Jepsen runs on etcd, which Porcupine
 * ships with the verdicts that both checkers agree on: number 2 has an order, number 0 has none.
 *
 * <p>A word is one event of a process: {@code 3r} begins a read, {@code 3w4} a write of 4, {@code 3c12} a change from 1 to
 * 2. {@code 3=4} ends a read with 4, {@code 3=-} without a value, {@code 3.} with success, {@code 3!} without a change,
 * {@code 3?} without an answer.
 */
class PublishedRegisterTest {
    private static final int LIMIT = 5_000_000;

    private static final String ETCD_002 = """
            4r 4=- 1w1 2c24 3c12 0c14 1. 0! 2. 3. 4w0 4. 1w2 1. 0r 0=2 2c02 3c23 2! 3. 4r 4=3 1w3 1. 0w2 2w0 0. 2. 3c04
            3. 4c34 4! 1w1 0w3 0. 1. 2r 2=3 3r 3=3 4r 4=3 0c43 0! 1c22 2w3 1! 3w2 4w2 4. 0c14 0! 2? 1w3 1. 3? 4c30 4. 0r
            0=0 7c31 1w1 8r 8=3 4c40 1. 0w2 0. 7? 4! 8c40 1w0 1. 0w4 0. 12w4 4r 4=4 8? 1r 1=4 0w2 12? 0. 4c30 4! 13w3 1w0
            17r 0c21 17=3 4w1 13? 1? 0? 17c01 4? 18r 18=3 6w3 5w2 17? 9c22 18w4 6? 5? 22w1 9? 18? 11w3 10c11 22? 14w0 11.
            23c44 14. 10! 23! 27w1 11w2 11. 14c12 10r 10=2 14! 23r 23=0 27? 11w1 11. 10r 10=1 14w2 23c23 32c21 14. 11w4
            11. 10c11 10! 23? 32? 14w4 14. 11c24 11! 10r 10=4 28r 28=0 37w3 37? 14r 14=4""";

    private static final String ETCD_000 = """
            0r 3r 2w4 1w2 4w3 3=- 0=- 4. 1. 2. 3w3 0r 0=3 3. 4r 4=3 1r 1=3 2c30 2. 0w2 3r 0. 3=0 4r 4=2 1c03 2c00 1! 2!
            0c21 3r 3=2 0. 4r 4=1 1r 1=1 2r 2=1 3w0 0c13 3. 4w2 0! 4. 1r 1=2 2c11 2! 3c00 0r 0=2 4w1 3! 1c21 2w2 2. 0c14
            3w3 4? 0! 3. 1? 2w2 9w3 0r 0=3 2. 3c34 3! 6c11 9? 0w1 0. 2c00 2! 3c22 6? 3! 14w4 0c43 0! 2w0 11r 11=2 2. 3w2
            3. 14? 0w1 11c21 2c03 3r 3=2 19r 19=2 0? 11? 2? 3r 3=2 19c13 19. 5w0 16c43 7c12 5. 7! 16! 3c42 3! 19c01 19.
            5c40 7c14 16r 16=1 3c13 3! 5. 7. 19c20 19! 16r 16=0 3r 3=0 5r 7c42 5=0 7! 19c23 19! 16c41 3w4 5w4 7c02 19r
            19=0 16? 3? 5? 7? 19w3 19. 21c20 21! 8w4 10w2 10. 12c44 19w4 21r 21=4 19. 8? 10c01 12? 10! 21c33 21! 19r 19=4
            13c22 17c44 13? 17? 10r 10=1""";

    @Test
    void aPublishedHistoryWithAnOrderIsAccepted() {
        assertThat(search(ETCD_002)).isInstanceOf(SearchResult.Ordered.class);
    }

    @Test
    void aPublishedHistoryWithoutAnOrderIsRejected() {
        assertThat(search(ETCD_000)).isInstanceOf(SearchResult.Impossible.class);
    }

    private static SearchResult search(String events) {
        return new OrderSearch(steps(events.split("\\s+")), LIMIT).run();
    }

    private static List<LeaseOp> steps(String[] events) {
        Map<String, Begun> running = new HashMap<>();
        List<LeaseOp> steps = new ArrayList<>();
        for (int stamp = 0; stamp < events.length; stamp++) {
            String event = events[stamp];
            int at = processLength(event);
            String process = event.substring(0, at);
            char kind = event.charAt(at);
            if ("rwc".indexOf(kind) >= 0) {
                running.put(process, new Begun(stamp, process, kind, event.substring(at + 1)));
            } else {
                Begun call = Objects.requireNonNull(running.remove(process), event);
                call.ended(stamp, kind, event.substring(at + 1), steps);
            }
        }
        assertThat(running).isEmpty();
        steps.sort(Comparator.comparingLong(LeaseOp::start));
        return steps;
    }

    private static int processLength(String event) {
        int length = 0;
        while (Character.isDigit(event.charAt(length))) {
            length++;
        }
        return length;
    }

    /** A call that has no answer yet. */
    private record Begun(int stamp, String process, char kind, String values) {
        void ended(int end, char answer, String shown, List<LeaseOp> steps) {
            boolean isUnknown = answer == '?';
            HistoryLine begin = HistoryLine.parse(stamp + " c" + process + ".1 " + stamp + " call op=get key=k");
            HistoryLine finish =
                    HistoryLine.parse(end + " c" + process + ".1 " + stamp + " answer out=state state=HELD");
            HistoryCall call = new HistoryCall(CallOp.GET, begin, finish);
            if (!isUnknown) {
                steps.add(LeaseOp.certain(call, effect(answer, shown)));
            } else if (kind != 'r') {
                steps.add(LeaseOp.perhaps(call, effect('.', "")));
            }
        }

        private LeaseEffect effect(char answer, String shown) {
            return switch (kind) {
                case 'w' -> before -> set(before, values);
                case 'c' -> {
                    String old = values.substring(0, 1);
                    String next = values.substring(1);
                    yield answer == '!'
                            ? before -> before.entry().value().equals(old) ? List.of() : before.alone()
                            : before -> before.entry().value().equals(old) ? set(before, next) : List.of();
                }
                default -> {
                    String value = shown.equals("-") ? "" : shown;
                    yield before -> before.entry().value().equals(value) ? before.alone() : List.of();
                }
            };
        }

        private static List<ModelState> set(ModelState before, String value) {
            return before.kept(before.entry().withValue(value)).alone();
        }
    }
}
