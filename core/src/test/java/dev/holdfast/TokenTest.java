package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.store.Beat;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, and versions and beats, which have the same text form. */
class TokenTest {
    private static final String EXPECTED = " (expected: a UUID such as 123e4567-e89b-42d3-a456-426614174000)";
    private static final String TEXT = "0d5b8a54-6f3a-4b1e-9c51-2f0f6f7c9a10";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "1-1-1-1-1",
                "0d5b8a546f3a4b1e9c512f0f6f7c9a10",
                "0d5b8a54-6f3a-4b1e-9c51-2f0f6f7c9a1",
                "0d5b8a54-6f3a-4b1e-9c51-2f0f6f7c9a100",
                "0d5b8a54-6f3a-4b1e-9c51-2f0f6f7c9a1g",
                " d5b8a54-6f3a-4b1e-9c51-2f0f6f7c9a10"
            })
    void anythingButAFullUuidIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Token.parse(text))
                .withMessage("token: " + text + EXPECTED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Version.parse(text))
                .withMessage("version: " + text + EXPECTED);
        assertThatIllegalArgumentException().isThrownBy(() -> Beat.parse(text)).withMessage("beat: " + text + EXPECTED);
    }

    @Test
    void theEmptyTextIsRefusedVisibly() {
        assertThatIllegalArgumentException().isThrownBy(() -> Token.parse("")).withMessage("token: \"\"" + EXPECTED);
    }

    @Test
    void theTextFormIsParsedBack() {
        UUID id = UUID.fromString(TEXT);

        assertThat(Token.parse(TEXT)).isEqualTo(Token.of(id));
        assertThat(Token.of(id).secret()).isEqualTo(TEXT);
        assertThat(Version.parse(TEXT)).isEqualTo(Version.of(id)).hasToString(TEXT);
        assertThat(Beat.parse(TEXT)).isEqualTo(Beat.of(id)).hasToString(TEXT);
    }

    @Test
    void noTextOfAValueThatContainsATokenShowsTheToken() {
        Token token = Token.parse(TEXT);
        Grant grant = new Grant(
                token, Holder.of("ann"), Term.ofMillis(1_000), Beat.of(UUID.randomUUID()), Instant.EPOCH, null);

        assertThat(token).hasToString("0d5b8a54...");
        assertThat(grant.toString()).doesNotContain(TEXT).contains("0d5b8a54...");
    }

    @Test
    void aBeatIsNamedAfterTheWriteThatMadeIt() {
        assertThat(Beat.of(Version.parse(TEXT))).isEqualTo(Beat.parse(TEXT));
    }
}
