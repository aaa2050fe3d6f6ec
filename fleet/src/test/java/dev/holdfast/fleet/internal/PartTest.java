package dev.holdfast.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartTest {
    @Test
    void aPartIsReadAsItWasWritten() {
        Part part = new Part(
                new Revision(1_893_456_000_000_000L, 7),
                List.of("a", "ü/b"),
                List.of(new Revision(1, 2), new Revision(3, 4)),
                true);

        assertThat(Part.of(part.toAttributes())).isEqualTo(part);
        assertThat(Part.of(Part.NONE.toAttributes())).isEqualTo(Part.NONE);
    }

    @Test
    void whatWasNeverWrittenIsNone() {
        assertThat(Part.of(dev.holdfast.model.Attributes.NONE)).isEqualTo(Part.NONE);
    }

    @Test
    void unitsAreCutByTheirNumber() {
        List<String> units = IntStream.range(0, 1203).mapToObj(i -> "unit-" + i).toList();

        List<List<String>> parts = Part.cut(units);

        assertThat(parts).extracting(List::size).containsExactly(500, 500, 203);
        assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(units);
        assertThat(Part.cut(List.of())).containsExactly(List.of());
    }

    @Test
    void everyPartFitsAnEntryHoweverLongTheNames() {
        List<String> units =
                IntStream.range(0, 500).mapToObj(i -> "x".repeat(1000) + i).toList();

        for (List<String> part : Part.cut(units)) {
            // It would be refused if it were too large.
            assertThat(new Part(new Revision(1, 1), part, List.of(), false)
                            .toAttributes()
                            .isEmpty())
                    .isFalse();
        }
    }

    @Test
    void laterPlannersPlansAreNewer() {
        assertThat(new Revision(2, 1)).isGreaterThan(new Revision(1, 9));
        assertThat(new Revision(2, 2)).isGreaterThan(new Revision(2, 1));
    }
}
