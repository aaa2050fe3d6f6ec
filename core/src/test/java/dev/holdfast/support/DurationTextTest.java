package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
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
    void formsThatPeopleTypeAreAccepted(String text, Duration expected) {
        assertThat(DurationText.parseTyped(text)).isEqualTo(expected);
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
    void otherTypedTextIsRejected(String text) {
        assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> DurationText.parseTyped(text));
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
            assertThat(DurationText.parseTyped(text.toString()))
                    .as(text.toString())
                    .isEqualTo(Duration.ofMillis(millis));
        }
    }

    @Test
    void theTextFormOfDurationIsAccepted() {
        Random random = new Random(4712);
        for (int round = 0; round < 500; round++) {
            Duration duration = Duration.ofMillis(random.nextInt(Integer.MAX_VALUE));
            assertThat(DurationText.parseTyped(duration.toString())).isEqualTo(duration);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "30s, PT30S",
        "1.5s, PT1.5S",
        "500ms, PT0.5S",
        "1h30m, PT1H30M",
        "1h1.5m, PT1H1M30S",
        "30m1h, PT1H30M",
        "2d, P2D",
        "PT30S, PT30S",
        "PT-1S, PT-1S",
        "123456789.123456789s, PT123456789.123456789S"
    })
    void programsUseTheCompactForm(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "30",
                " 30s",
                "30 s",
                "30S",
                "30sec",
                "1 hour",
                "-5s",
                "1.5.5s",
                "1s1s1s1s1s1s1s",
                "0.1ns",
                "0.0000001ms",
                "300000000000000d",
                "P1Y"
            })
    void otherCompactTextIsRejected(String text) {
        assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> DurationText.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT30S, 30s", "PT12.345S, 12.345s", "PT1H, 3600s", "PT-1.5S, -1.5s"})
    void secondsAreExact(Duration duration, String expected) {
        assertThat(DurationText.seconds(duration)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.35S, 350ms",
        "PT42S, 42s",
        "PT3M, 3m",
        "PT3M20S, 3m 20s",
        "PT1H57M59S, 1h 57m",
        "P3DT4H5M, 3d 4h",
        "PT-1S, 0ms"
    })
    void spansHaveTheirTwoLargestUnits(Duration span, String expected) {
        assertThat(DurationText.rounded(span)).isEqualTo(expected);
    }
}
