package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlParametersTest {
    private static final Set<String> KNOWN = Set.of("size", "Age", "colour");

    private enum Colour {
        RED,
        GREEN
    }

    @Test
    void namesAndValuesAreDecoded() {
        UrlParameters given = UrlParameters.parse("a=1+1&b%20c=x%3D%26y&d=&e=f=g");

        assertThat(given.given()).isEqualTo(Map.of("a", "1+1", "b c", "x=&y", "d", "", "e", "f=g"));
    }

    @Test
    void aMissingOrEmptyQueryHasNoParameters() {
        assertThat(UrlParameters.parse(null).given()).isEmpty();
        assertThat(UrlParameters.parse("").given()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size              | parameter: size (expected: NAME=VALUE with one of the names Age, colour, size)",
                "size=1&           | parameter: \"\" (expected: NAME=VALUE with one of the names Age, colour, size)",
                "age=1             | parameter: age (expected: NAME=VALUE with one of the names Age, colour, size)",
                "size=1&size=1     | parameter: size (expected: given once)",
                "size=1&si%7Ae=1   | parameter: size (expected: given once)",
                "%zz=1             | parameter: ... (expected: percent-encoding such as %40 for @)",
                "size=%zz          | size: %zz (expected: percent-encoding such as %40 for @)"
            })
    void unknownAndRepeatedParametersAreRejected(String query, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UrlParameters.parse(query, KNOWN))
                .withMessage(message);
    }

    @Test
    void withoutKnownNamesOnlyTheFormIsChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UrlParameters.parse("any=1&thing"))
                .withMessage("parameter: thing (expected: NAME=VALUE)");
    }

    @Test
    void aBadSecretIsNotShown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UrlParameters.parse("sslPassword=s3cr3t%"))
                .withMessage("sslPassword: ... (expected: percent-encoding such as %40 for @)");
    }

    @Test
    void aMissingParameterHasItsDefault() {
        UrlParameters none = UrlParameters.parse(null);

        assertThat(none.text("a")).isEmpty();
        assertThat(none.text("a", "b", Pattern.compile("b"), "b")).isEqualTo("b");
        assertThat(none.number("a", 7, 1, 9)).isEqualTo(7);
        assertThat(none.flag("a", true)).isTrue();
        assertThat(none.word("a", Colour.class, Colour.GREEN)).isEqualTo(Colour.GREEN);
        assertThat(none.duration("a", Duration.ofDays(2), Duration.ZERO)).isEqualTo(Duration.ofDays(2));
        assertThat(none.orElse("a", "b").text("a")).contains("b");
    }

    @Test
    void valuesAreReadByType() {
        UrlParameters given = UrlParameters.parse("text=b&number=007&flag=false&word=red&age=90m");

        assertThat(given.text("text")).contains("b");
        assertThat(given.number("number", 1, 1, 9)).isEqualTo(7);
        assertThat(given.flag("flag", true)).isFalse();
        assertThat(given.word("word", Colour.class, Colour.GREEN)).isEqualTo(Colour.RED);
        assertThat(given.duration("age", Duration.ZERO, Duration.ZERO)).isEqualTo(Duration.ofMinutes(90));
        assertThat(given.orElse("text", "c").text("text")).contains("b");
    }

    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "0s, PT0S", "5s, PT5S", "2m, PT2M", "3h, PT3H", "4d, PT96H", "999999999d, P999999999D"
    })
    void aDurationHasOneUnit(String text, Duration duration) {
        assertThat(UrlParameters.parse("a=" + text).duration("a", Duration.ZERO, Duration.ZERO))
                .isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({"text, b", "number, 0", "number, 10", "number, -1", "number, 1e1", "number, 99999999999", "flag, yes"})
    void aValueOutsideItsRangeIsRejected(String name, String value) {
        UrlParameters given = UrlParameters.parse(name + "=" + value);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    given.text("text", "a", Pattern.compile("a"), "a");
                    given.number("number", 1, 1, 9);
                    given.flag("flag", true);
                })
                .withMessageStartingWith(name + ": " + value + " (expected: ")
                .withMessageMatching(".* \\(expected: (a|1 to 9|true or false)\\)");
    }

    @ParameterizedTest
    @CsvSource({"1, ''", "5s5s, ''", "-1s, ''", "1.5s, ''", "5S, ''", "99ms, ''", "'', '\"\"'"})
    void aBadDurationIsRejected(String text, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        UrlParameters.parse("a=" + text).duration("a", Duration.ofSeconds(1), Duration.ofMillis(100)))
                .withMessage("a: " + (shown.isEmpty() ? text : shown)
                        + " (expected: a duration such as 500ms, 5s or 2m, at least 100ms)");
    }

    @Test
    void anUnknownWordIsRejectedWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UrlParameters.parse("a=RED").word("a", Colour.class, Colour.RED))
                .withMessage("a: RED (expected: one of red, green)");
    }
}
