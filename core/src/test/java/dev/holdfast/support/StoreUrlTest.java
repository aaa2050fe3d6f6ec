package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.support.StoreUrl.UrlHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUrlTest {
    @Test
    void aUrlOfAFileHasASchemeAnAddressAndAQuery() {
        assertThat(StoreUrl.parse("SQLite:/a/b%3Fc#d@e:f.db?x=1?y"))
                .isEqualTo(new StoreUrl("sqlite", "/a/b%3Fc#d@e:f.db", "x=1?y"));
        assertThat(StoreUrl.parse("sqlite:")).isEqualTo(new StoreUrl("sqlite", "", null));
        assertThat(StoreUrl.parse("sqlite:?")).isEqualTo(new StoreUrl("sqlite", "", ""));
        assertThat(StoreUrl.parse("sqlite:/a").isHierarchical()).isFalse();
    }

    @Test
    void aTextWithoutASchemeIsAllAddress() {
        assertThat(StoreUrl.parse("leases.db")).isEqualTo(new StoreUrl("", "leases.db", null));
        assertThat(StoreUrl.parse("a?b:c")).isEqualTo(new StoreUrl("", "a", "b:c"));
        assertThat(StoreUrl.parse("")).isEqualTo(new StoreUrl("", "", null));
    }

    @Test
    void everyPartOfAHierarchicalUrlIsDecoded() {
        StoreUrl url = StoreUrl.parse("pg://ann%40corp:p%3A%2F%3F%23%5B%5D%40+%25@a:5432,[::1]:5433,b/my%20db?x=1");

        assertThat(url.isHierarchical()).isTrue();
        assertThat(url.hasLogin()).isTrue();
        assertThat(url.user()).isEqualTo("ann@corp");
        assertThat(url.password()).isEqualTo("p:/?#[]@+%");
        assertThat(url.hosts())
                .containsExactly(new UrlHost("a", 5432), new UrlHost("[::1]", 5433), new UrlHost("b", -1))
                .extracting(UrlHost::toString)
                .containsExactly("a:5432", "[::1]:5433", "b");
        assertThat(url.path()).isEqualTo("my%20db");
        assertThat(url.query()).isEqualTo("x=1");
    }

    @Test
    void missingPartsAreEmptyOrNull() {
        StoreUrl url = StoreUrl.parse("pg://");

        assertThat(url.isHierarchical()).isTrue();
        assertThat(url.hasLogin()).isFalse();
        assertThat(url.authority()).isEmpty();
        assertThat(url.path()).isEmpty();
        assertThat(url.user()).isNull();
        assertThat(url.password()).isNull();
        assertThat(StoreUrl.parse("pg://@host").hasLogin()).isTrue();
        assertThat(StoreUrl.parse("pg://:secret@host").user()).isNull();
        assertThat(StoreUrl.parse("pg://ann@host").password()).isNull();
        assertThat(StoreUrl.parse("pg://ann:@host").password()).isEmpty();
        assertThat(StoreUrl.parse("pg:host").authority()).isEmpty();
    }

    /** Only the last "@" before the path ends the login, so that a forgotten percent-encoding changes no host. */
    @Test
    void aLoginMayContainAnAt() {
        StoreUrl url = StoreUrl.parse("pg://ann@corp:a@b@host/db");

        assertThat(url.user()).isEqualTo("ann@corp");
        assertThat(url.password()).isEqualTo("a@b");
        assertThat(url.authority()).isEqualTo("host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pg:host/db", "pg:/host/db", "pg://host/db#x", "pg://ho#st/db", "pg://host/db?a=#b"})
    void aUrlWithAFragmentOrWithoutSlashesIsNotHierarchical(String url) {
        assertThat(StoreUrl.parse(url).isHierarchical()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pg://ho st/        | host: ho st",
                "pg://host:port/    | host: host:port",
                "pg://host:123456/  | host: host:123456",
                "pg://a,,b/         | host: \"\"",
                "pg://::1/          | host: ::1",
                "pg://[::g]/        | host: [::g]",
                "pg://[::1/         | host: [::1",
                "pg://a%2C%2Cb/     | host: \"\""
            })
    void aHostOfAnotherFormIsRejected(String url, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreUrl.parse(url).hosts())
                .withMessage(message + " (expected: HOST or HOST:PORT)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "a%", "%%20"})
    void badPercentEncodingIsRejectedWithoutBeingShown(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreUrl.decode("password", text))
                .withMessage("password: ... (expected: percent-encoding such as %40 for @)");
    }

    @Test
    void aPlusStaysAPlus() {
        assertThat(StoreUrl.decode("path", "a+b%2Bc%20d%C3%A9")).isEqualTo("a+b+c d\u00e9");
    }

    @ParameterizedTest
    @CsvSource({
        "PG://ann:s3cr3t@host/db, pg://ann:***@host/db",
        "pg://ann@host/db?sslpassword=s3cr3t&a=b, pg://ann@host/db?sslpassword=***&a=b",
        "pg://ann:s3cr3t/x@host/db, pg://ann:***@host/db",
        "sqlite:/a.db?b=c, sqlite:/a.db?b=c"
    })
    void aPrintedUrlHidesPasswords(String url, String shown) {
        assertThat(StoreUrl.parse(url)).hasToString(shown);
    }
}
