package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Holdfast;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
    private static final String SECRET = "s3cr3t";

    @Test
    void aShortUrlHasDefaults() {
        PostgresUrl url = PostgresUrl.parse("postgresql://db.example.com/app");

        assertThat(url.hosts()).isEqualTo("db.example.com");
        assertThat(url.database()).isEqualTo("app");
        assertThat(url.user()).isNull();
        assertThat(url.password()).isNull();
        assertThat(url.schema()).isEqualTo("holdfast");
        assertThat(url.create()).isTrue();
        assertThat(url.lanes()).isEqualTo(2);
        assertThat(url.pool()).isEqualTo(4);
        assertThat(url.step()).isEqualTo(Duration.ofMillis(500));
        assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(url.pooled()).isNull();
        assertThat(url.driver()).isEmpty();
    }

    @Test
    void everyPartCanBeSet() {
        PostgresUrl url = PostgresUrl.parse("postgres://ann%40corp:p%3A%2F%3F%23%5B%5D%40+%25@a:5432,[::1]:5433/my%20db"
                + "?schema=leases&create=false&lanes=3&pool=9&step=2s&timeout=750ms&pooled=true&sslmode=verify-full");

        assertThat(url.hosts()).isEqualTo("a:5432,[::1]:5433");
        assertThat(url.database()).isEqualTo("my db");
        assertThat(url.user()).isEqualTo("ann@corp");
        assertThat(url.password()).isEqualTo("p:/?#[]@+%");
        assertThat(url.schema()).isEqualTo("leases");
        assertThat(url.create()).isFalse();
        assertThat(url.lanes()).isEqualTo(3);
        assertThat(url.pool()).isEqualTo(9);
        assertThat(url.step()).isEqualTo(Duration.ofSeconds(2));
        assertThat(url.timeout()).isEqualTo(Duration.ofMillis(750));
        assertThat(url.pooled()).isTrue();
        assertThat(url.driver()).isEqualTo(Map.of("sslmode", "verify-full"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "schema=Orders        | schema: Orders (expected: a-z, 0-9 and _, at most 54 of them)",
                "schema=a\"b          | schema: a\"b (expected: a-z, 0-9 and _, at most 54 of them)",
                "create=yes           | create: yes (expected: true or false)",
                "pool=0               | pool: 0 (expected: 1 to 1000)",
                "pool=many            | pool: many (expected: 1 to 1000)",
                "lanes=65             | lanes: 65 (expected: 1 to 64)",
                "step=1               | step: 1 (expected: a duration such as 500ms or 2s, 0ms to 1h)",
                "step=3601s           | step: 3601s (expected: a duration such as 500ms or 2s, 0ms to 1h)",
                "timeout=99ms         | timeout: 99ms (expected: a duration such as 500ms or 2s, 100ms to 1h)",
                "timeout=999999999s   | timeout: 999999999s (expected: a duration such as 500ms or 2s, 100ms to 1h)",
                "pooled=maybe         | pooled: maybe (expected: auto, true or false)",
                "prepareThreshold=x   | prepareThreshold: x (expected: 0 to 1000)",
                "pool=1&pool=2        | parameter: pool (expected: given once)",
                "schema               | parameter: schema (expected: NAME=VALUE with one of the names",
                "currentSchema=a      | parameter: currentSchema (expected: NAME=VALUE with one of the names",
            })
    void unknownPartsAreRejected(String parameters, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresUrl.parse("postgresql://ann:" + SECRET + "@host/db?" + parameters))
                .withMessageStartingWith(message)
                .withMessageNotContaining(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql:",
                "postgresql://",
                "postgresql://ann:s3cr3t@host",
                "postgresql://ann:s3cr3t@host/",
                "postgresql://ann:s3cr3t@ho st/db",
                "postgresql://ann:s3cr3t@host:port/db",
                "postgresql://ann:s3cr3t@host,/db",
                "postgresql://ann:s3cr3t/x@host/db",
                "postgresql://ann:s3cr3t#@host/db",
                "postgresql://ann:s3cr3t%@host/db",
                "postgresql://ann:s3cr3t%zz@host/db",
                "postgresql:ann:s3cr3t@host/db",
                "mysql://ann:s3cr3t@host/db",
            })
    void aUrlOfAnotherShapeIsRejectedWithoutBeingShown(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresUrl.parse(url))
                .withMessageContaining("(expected: ")
                .withMessageNotContaining(SECRET);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holdfast.open(url))
                .withMessageNotContaining(SECRET);
    }

    @Test
    void thePasswordIsNotShown() {
        PostgresUrl url = PostgresUrl.parse("postgresql://ann:" + SECRET + "@host/db?sslpassword=" + SECRET);

        assertThat(url).hasToString("postgresql://ann@host/db?schema=holdfast");
    }

    @Test
    void noErrorOnTheWayToTheDatabaseShowsThePassword() {
        int port = Server.shared().port();
        for (String where : new String[] {"localhost:1/postgres", "localhost:" + port + "/no_such_database"}) {
            Throwable failure =
                    catchThrowable(() -> Holdfast.open("postgresql://nobody:" + SECRET + "@" + where + "?timeout=1s"));

            StringWriter shown = new StringWriter();
            failure.printStackTrace(new PrintWriter(shown));
            assertThat(shown.toString()).contains("StoreException").doesNotContain(SECRET);
        }
    }
}
