package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GrantHistoryTextTest {
    private static final Instant START = Instant.parse("2026-11-16T14:00:00Z");

    private static PastGrant line(int number, GrantEnd end) {
        boolean evicted = end == GrantEnd.EVICTED;
        return new PastGrant(
                number,
                Holder.of("build-" + number),
                Fence.of(number),
                START.plusSeconds(60L * number),
                end,
                START.plusSeconds(60L * number + 29),
                evicted ? Holder.of("ann") : null,
                evicted ? "it hangs" : null);
    }

    private static LeaseStatus status(LeaseState state, long grants, List<PastGrant> lines) {
        Version version = Version.of(new UUID(1, 1));
        Grant grant = new Grant(
                Token.of(new UUID(1, 2)), Holder.of("now"), Term.ofMillis(1000), Beat.of(version), START, null);
        Entry entry = new Entry(
                Key.of("deploy"),
                version,
                state,
                Fence.of(99),
                grants,
                grant,
                Attributes.NONE,
                START,
                null,
                GrantHistory.of(START, lines));
        return new LeaseStatus(entry, state, Duration.ZERO);
    }

    @Test
    void theNewestGrantIsFirstAndGapsAreVisible() {
        List<PastGrant> lines =
                List.of(line(2, GrantEnd.RELEASED), line(3, GrantEnd.EXPIRED), line(6, GrantEnd.EVICTED));

        assertThat(GrantHistoryText.lines(status(LeaseState.HELD, 8, lines)))
                .containsExactly(
                        "(1 grant not recorded)",
                        "#6  2026-11-16 14:06:00Z - 14:06:29Z  build-6  evicted by ann: it hangs",
                        "(2 grants not recorded)",
                        "#3  2026-11-16 14:03:00Z - by 14:03:29Z  build-3  expired",
                        "#2  2026-11-16 14:02:00Z - 14:02:29Z  build-2  released",
                        "(1 grant before)");
        assertThat(GrantHistoryText.lines(status(LeaseState.FREE, 6, lines)).get(0))
                .startsWith("#6 ");
    }

    @Test
    void aGrantThatEndedOnAnotherDayHasBothDates() {
        PastGrant line = new PastGrant(
                1, Holder.of("a"), Fence.of(1), START, GrantEnd.HANDED_OVER, START.plus(Duration.ofHours(12)));

        assertThat(GrantHistoryText.lines(status(LeaseState.FREE, 1, List.of(line))))
                .containsExactly("#1  2026-11-16 14:00:00Z - 2026-11-17 02:00:00Z  a  handed over");
    }

    @Test
    void aLongHistoryIsCutAndAKeyWithoutOneHasNoLines() {
        List<PastGrant> lines = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            lines.add(line(i, GrantEnd.DONE));
        }

        assertThat(GrantHistoryText.lines(status(LeaseState.FREE, 20, lines)))
                .hasSize(11)
                .last()
                .isEqualTo("(10 grants before)");
        assertThat(GrantHistoryText.lines(status(LeaseState.FREE, 20, List.of())))
                .isEmpty();
    }
}
