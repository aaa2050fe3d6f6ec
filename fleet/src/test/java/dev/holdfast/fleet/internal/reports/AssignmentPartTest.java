package dev.holdfast.fleet.internal.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentPartTest {
    @Test
    void aPartIsReadAsItWasWritten() {
        AssignmentPart assignmentPart = new AssignmentPart(
                new PlanRevision(1_893_456_000_000_000L, 7),
                List.of("a", "ü/b"),
                List.of(new PlanRevision(1, 2), new PlanRevision(3, 4)),
                true);

        assertThat(AssignmentPart.of(assignmentPart.toAttributes())).isEqualTo(assignmentPart);
        assertThat(AssignmentPart.of(AssignmentPart.NONE.toAttributes())).isEqualTo(AssignmentPart.NONE);
    }

    @Test
    void anEmptyEntryIsReadAsNone() {
        assertThat(AssignmentPart.of(dev.holdfast.Attributes.NONE)).isEqualTo(AssignmentPart.NONE);
    }

    @Test
    void unitsAreSplitByTheirNumber() {
        List<String> units = IntStream.range(0, 1203).mapToObj(i -> "unit-" + i).toList();

        List<List<String>> parts = AssignmentPart.split(units);

        assertThat(parts).extracting(List::size).containsExactly(500, 500, 203);
        assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(units);
        assertThat(AssignmentPart.split(List.of())).containsExactly(List.of());
    }

    @Test
    void everyPartFitsAnEntryHoweverLongTheNames() {
        List<String> units =
                IntStream.range(0, 500).mapToObj(i -> "x".repeat(1000) + i).toList();

        for (List<String> part : AssignmentPart.split(units)) {
            // It would be rejected if it were too large.
            assertThat(new AssignmentPart(new PlanRevision(1, 1), part, List.of(), false)
                            .toAttributes()
                            .isEmpty())
                    .isFalse();
        }
    }

    @Test
    void plansOfLaterPlannersAreNewer() {
        assertThat(new PlanRevision(2, 1)).isGreaterThan(new PlanRevision(1, 9));
        assertThat(new PlanRevision(2, 2)).isGreaterThan(new PlanRevision(2, 1));
    }
}
