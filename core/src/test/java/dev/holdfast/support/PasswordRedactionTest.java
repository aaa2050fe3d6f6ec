package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRedactionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://app:s3cr%40t@db/app",
                "postgresql://app:s3cr%40t@db:5432,db2/app?schema=x",
                "postgresql://:s3cr%40t@db/app",
                "https://db/app?password=s3cr%40t",
                "https://db/app?a=b&sslpassword=s3cr%40t&c=d"
            })
    void passwordsAreRedactedInEncodedAndDecodedForm(String url) {
        PasswordRedaction passwordRedaction = PasswordRedaction.of(url);

        assertThat(passwordRedaction.apply("cannot open " + url))
                .doesNotContain("s3cr")
                .contains("***");
        assertThat(passwordRedaction.apply("login with s3cr@t failed")).isEqualTo("login with *** failed");
    }

    @Test
    void aPasswordWithCharactersThatShouldBeEncodedIsRedactedToo() {
        String url = "postgresql://app:a/b@c?d@db/app";

        assertThat(PasswordRedaction.of(url).apply("bad URL " + url))
                .doesNotContain("a/b")
                .doesNotContain("c?d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sqlite:/tmp/a.db", "sqlite:", "memory:", "postgresql://db/app", "postgresql://app@db/app", "x"})
    void aUrlWithoutAPasswordIsNotChanged(String url) {
        assertThat(PasswordRedaction.of(url).apply("at " + url)).isEqualTo("at " + url);
    }
}
