package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Key;
import dev.holdfast.testkit.HistoryChecker.Violation;
import dev.holdfast.testkit.LeaseHistory.Event;
import dev.holdfast.testkit.LeaseHistory.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {
    private static final Key KEY = Key.of("orders", "4 2");

    private final LeaseHistory leaseHistory = new LeaseHistory();

    private List<Violation> check() {
        return HistoryChecker.check(leaseHistory);
    }

    @Test
    void consecutivePeriodsAreAllowed() {
        leaseHistory.began(10, KEY, "ann", 1);
        leaseHistory.ended(20, KEY, 1);
        leaseHistory.began(20, KEY, "bob", 2);
        leaseHistory.extended(25, KEY, 2, 40);
        leaseHistory.began(40, KEY, "cid", 3);

        assertThat(check()).isEmpty();
    }

    @Test
    void anEmptyHistoryHasNoViolations() {
        assertThat(check()).isEmpty();
    }

    @Test
    void keysAreCheckedSeparately() {
        leaseHistory.began(10, KEY, "ann", 5);
        leaseHistory.began(11, Key.of("other"), "bob", 3);

        assertThat(check()).isEmpty();
    }

    @Test
    void overlappingPeriodsAreFound() {
        leaseHistory.began(10, KEY, "ann", 1);
        leaseHistory.began(19, KEY, "bob", 2);
        leaseHistory.ended(20, KEY, 1);

        assertThat(check()).hasSize(1);
        assertThat(check().get(0).toString()).isEqualTo("""
            orders/4 2: two holders had a valid lease at once
              10 began orders 4+2 ann 1 0
              19 began orders 4+2 bob 2 0
              20 ended orders 4+2 - 1 0\
            """);
    }

    @Test
    void aPeriodLastsUntilItsLastExtension() {
        leaseHistory.began(10, KEY, "ann", 1);
        leaseHistory.extended(10, KEY, 1, 30);
        leaseHistory.extended(20, KEY, 1, 40);
        leaseHistory.began(39, KEY, "bob", 2);
        assertThat(check()).hasSize(1);
    }

    @Test
    void anExtensionAfterTheEndHasNoEffect() {
        leaseHistory.began(10, KEY, "ann", 1);
        leaseHistory.extended(10, KEY, 1, 30);
        leaseHistory.extended(31, KEY, 1, 60);
        leaseHistory.began(50, KEY, "bob", 2);

        assertThat(check()).isEmpty();
    }

    @Test
    void aPeriodWithoutAnEndLastsForever() {
        leaseHistory.began(10, KEY, "ann", 1);
        leaseHistory.began(1_000_000, KEY, "bob", 2);

        assertThat(check()).extracting(Violation::promise).containsExactly("two holders had a valid lease at once");
    }

    @Test
    void aLongPeriodIsComparedWithEveryLaterOne() {
        leaseHistory.began(10, KEY, "ann", 1);
        leaseHistory.extended(10, KEY, 1, 100);
        leaseHistory.began(20, KEY, "bob", 2);
        leaseHistory.ended(30, KEY, 2);
        leaseHistory.began(90, KEY, "cid", 3);

        assertThat(check()).hasSize(2);
    }

    @Test
    void fencesThatDoNotGrowAreFound() {
        leaseHistory.began(10, KEY, "ann", 7);
        leaseHistory.ended(20, KEY, 7);
        leaseHistory.began(30, KEY, "bob", 6);
        leaseHistory.ended(40, KEY, 6);
        leaseHistory.began(50, KEY, "cid", 7);
        leaseHistory.ended(60, KEY, 7);

        assertThat(check())
                .extracting(Violation::promise)
                .containsExactly(
                        "a later grant does not have a larger fence", "a later grant does not have a larger fence");
    }

    @Test
    void grantedEventsDecideTheOrderOfGrants() {
        leaseHistory.granted(5, KEY, "ann", 1);
        leaseHistory.granted(6, KEY, "bob", 2);
        leaseHistory.began(10, KEY, "bob", 2);
        leaseHistory.ended(11, KEY, 2);
        leaseHistory.began(12, KEY, "ann", 1);
        leaseHistory.ended(13, KEY, 1);
        assertThat(check()).isEmpty();

        leaseHistory.granted(14, KEY, "cid", 2);
        assertThat(check()).hasSize(1);
    }

    @Test
    void aViolationListsOnlyItsTwoGrantsAndTheShortestComesFirst() {
        for (int i = 0; i < 100; i++) {
            leaseHistory.began(10L * i, KEY, "ann", i);
            leaseHistory.extended(10L * i + 1, KEY, i, 10L * i + 9);
            leaseHistory.ended(10L * i + 5, KEY, i);
        }
        leaseHistory.began(2000, KEY, "bob", 200);
        leaseHistory.extended(2001, KEY, 200, 2050);
        leaseHistory.began(2010, KEY, "cid", 201);
        leaseHistory.began(3000, Key.of("short"), "bob", 1);
        leaseHistory.began(3000, Key.of("short"), "cid", 2);

        List<Violation> found = check();

        assertThat(found).extracting(it -> it.events().size()).containsExactly(2, 3);
        assertThat(found.get(1).events()).extracting(Event::fence).containsExactly(200L, 200L, 201L);
    }

    @Test
    void linesOfSeveralProcessesAreMergedInAnyOrder() {
        leaseHistory.granted(1, KEY, "a b\n\u00e9\uD83D\uDE80", 1);
        leaseHistory.began(2, Key.of("", "-"), "-", Long.MAX_VALUE);
        leaseHistory.extended(3, KEY, 1, -5);
        leaseHistory.ended(-4, Key.of("%2D", "+ -"), 1);
        List<String> lines = new ArrayList<>(leaseHistory.toLines());
        assertThat(lines).allMatch(line -> line.lines().count() == 1);
        Collections.shuffle(lines, new Random(1));
        lines.add("");

        assertThat(LeaseHistory.parse(lines).events()).containsExactlyInAnyOrderElementsOf(leaseHistory.events());
    }

    @Test
    void mergedHistoriesAreCheckedInOrderOfTime() {
        LeaseHistory merged =
                LeaseHistory.parse(List.of("30 began - a bob 2 0", "20 ended - a - 1 0", "10 began - a ann 1 0"));

        assertThat(HistoryChecker.check(merged)).isEmpty();
    }

    @Test
    void aMalformedLineIsRefused() {
        for (String line : List.of("x", "1 began - a ann 1", "1 begun - a ann 1 0", "1 began - - ann 1 0")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Event.parse(line))
                    .withMessageStartingWith("line: " + line + " (expected: ");
        }
    }

    @Test
    void recordingIsThreadSafe() throws Exception {
        ThreadCrowd.of(8, number -> {
            for (int i = 0; i < 500; i++) {
                leaseHistory.began(i, Key.of("key-" + number), "ann", i);
                leaseHistory.ended(i, Key.of("key-" + number), i);
            }
            return number;
        });

        assertThat(leaseHistory.events())
                .hasSize(8 * 1000)
                .filteredOn(event -> event.kind() == Kind.BEGAN)
                .hasSize(4000);
        assertThat(check()).isEmpty();
    }
}
