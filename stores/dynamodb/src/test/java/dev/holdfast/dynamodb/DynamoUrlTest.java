package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamoUrlTest {
    @Test
    void aTableIsEnough() {
        DynamoUrl url = DynamoUrl.parse("dynamodb://leases");

        assertThat(url.table()).isEqualTo("leases");
        assertThat(url.region()).isNull();
        assertThat(url.endpoint()).isNull();
        assertThat(url.layout()).isEqualTo(NativeLayout.INSTANCE);
        assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(url).hasToString("dynamodb://leases");
    }

    @Test
    void allParametersAreRead() {
        DynamoUrl url = DynamoUrl.parse(
                "dynamodb://my.leases-1?region=eu-central-1&endpoint=http%3A%2F%2Flocalhost:8000&timeout=250ms&lanes=3"
                        + "&inflight=7&judge=stamp&skew=1m");

        assertThat(url.region()).isEqualTo("eu-central-1");
        assertThat(url.endpoint()).isEqualTo(URI.create("http://localhost:8000"));
        assertThat(url.timeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(url.lanes()).isEqualTo(3);
        assertThat(url.inFlight()).isEqualTo(7);
        assertThat(NativeTableStore.skew(url)).isEqualTo(Duration.ofMinutes(1));
        assertThat(url).hasToString("dynamodb://my.leases-1?region=eu-central-1&endpoint=http://localhost:8000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dynamodb:leases | store: dynamodb:leases (expected: dynamodb://TABLE?region=...",
                "dynamo://leases | store: dynamo://leases (expected: dynamodb://TABLE?region=...",
                "dynamodb://leases/x | store: dynamodb://leases/x (expected: dynamodb://TABLE?region=...",
                "dynamodb://ab | table: ab (expected: 3 to 255 of",
                "dynamodb://a b c | table: a b c (expected: 3 to 255 of",
                "dynamodb://leases?region | parameter: region (expected: NAME=VALUE)",
                "dynamodb://leases?region=here | region: here (expected: a region such as eu-central-1)",
                "dynamodb://leases?lanes=2&lanes=3 | parameter: lanes (expected: given once)",
                "dynamodb://leases?lanes=0 | lanes: 0 (expected: 1 to 64)",
                "dynamodb://leases?timeout=5 | timeout: 5 (expected: a duration such as 500ms, 5s or 2m",
                "dynamodb://leases?timeout=1ms | timeout: 1ms (expected: a duration such as 500ms, 5s or 2m, at least 100ms",
                "dynamodb://leases?endpoint=localhost | endpoint: localhost (expected: a URL such as http://localhost:8000",
                "dynamodb://leases?layout=mine | layout: mine (expected: one of native",
                "dynamodb://leases?jugde=stamp | parameter: jugde (expected: with layout=native one of billing, endpoint,",
                "dynamodb://leases?endpoint=%zz | endpoint: %zz (expected: percent-encoding"
            })
    void unknownPartsAreRejected(String url, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DynamoUrl.parse(url))
                .withMessageStartingWith(message);
    }

    @Test
    void unitsNeedProvisionedBilling() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableBilling.of(DynamoUrl.parse("dynamodb://leases?read=5")))
                .withMessage("billing: on-demand (expected: provisioned, as read or write units are given)");
    }

    @Test
    void aDefaultYieldsToAGivenValue() {
        assertThat(DynamoUrl.parse("dynamodb://leases?judge=observation", "judge", "stamp")
                        .parameters()
                        .text("judge"))
                .contains("observation");
        assertThat(DynamoUrl.parse("dynamodb://leases", "judge", "stamp")
                        .parameters()
                        .text("judge"))
                .contains("stamp");
    }
}
