package dev.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationParserTest {
    private static final List<List<String>> NAMES = List.of(
            List.of("w", "week", "weeks"),
            List.of("d", "day", "days"),
            List.of("h", "hr", "hrs", "hour", "hours"),
            List.of("m", "min", "mins", "minute", "minutes"),
            List.of("s", "sec", "secs", "second", "seconds"),
            List.of("ms", "millis", "millisecond", "milliseconds"));
    private static final long[] MILLIS = {604_800_000, 86_400_000, 3_600_000, 60_000, 1_000, 1};

    @ParameterizedTest
    @CsvSource({
        "15m, PT15M",
        "3 minutes, PT3M",
        "100hrs, PT100H",
        "1 day, P1D",
        "1h30m, PT1H30M",
        "PT15M, PT15M",
        "pt1h, PT1H",
        "P2D, P2D",
        "90, PT1M30S",
        "0, PT0S",
        "1.5h, PT1H30M",
        "500ms, PT0.5S",
        "1 hour 30 minutes, PT1H30M",
        "' 2 h ', PT2H",
        "1w, P7D",
        "0.25, PT0.25S",
        "10MIN, PT10M"
    })
    void commonFormsAreAccepted(String text, Duration expected) {
        assertThat(DurationParser.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-5m",
                "5x",
                "m",
                "5m5",
                "30m1h",
                "1h1h",
                "1 fortnight",
                "PT",
                "P1Y",
                "-PT5S",
                "PT-5S",
                "1..5s",
                ".5s",
                "5.",
                "1,5h",
                "0x10",
                "1e3",
                "999999999999999999999",
                "400000w",
                "５m",
                "1h-30m",
                "NaN",
                "5m;rm"
            })
    void otherTextIsRejectedWithTheExpectedForms(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> DurationParser.parse(text))
                .withMessageContaining(
                        "expected: a duration such as 15m, 3 minutes, 100hrs, 1 day, 1h30m, PT15M, or seconds");
    }

    @Test
    void anyNumberOfDescendingUnitsByAnyOfTheirNamesAddUp() {
        Random random = new Random(4711);
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder();
            long millis = 0;
            for (int unit = 0; unit < NAMES.size(); unit++) {
                if (random.nextInt(3) == 0 || (unit == NAMES.size() - 1 && text.isEmpty())) {
                    long count = random.nextInt(100);
                    List<String> names = NAMES.get(unit);
                    text.append(count)
                            .append(" ".repeat(random.nextInt(2)))
                            .append(names.get(random.nextInt(names.size())))
                            .append(" ".repeat(random.nextInt(2)));
                    millis += count * MILLIS[unit];
                }
            }
            assertThat(DurationParser.parse(text.toString()))
                    .as(text.toString())
                    .isEqualTo(Duration.ofMillis(millis));
        }
    }

    @Test
    void theTextFormOfDurationIsAccepted() {
        Random random = new Random(4712);
        for (int round = 0; round < 500; round++) {
            Duration duration = Duration.ofMillis(random.nextInt(Integer.MAX_VALUE));
            assertThat(DurationParser.parse(duration.toString())).isEqualTo(duration);
        }
    }
}
