package dev.holdfast.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.server.Guard.Access;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenFileTest {
    private static final String HASH = Secret.hashText("hf_secret");

    private static TokenFile parse(String... lines) {
        return TokenFile.parse("tokens", List.of(lines));
    }

    private static Permissions permissions(String... words) {
        return parse("ann " + HASH + " " + String.join(" ", words))
                .bySecret("hf_secret")
                .orElseThrow();
    }

    private static void isRefused(String message, String... lines) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(lines).requireUsable("tokens"))
                .withMessage(message);
    }

    @Test
    void aSecretIsKnownByItsHashAndNoOtherIs() {
        TokenFile file = parse("# who  shows  may", "", "ann " + HASH + " lease=jobs # the worker");

        assertThat(file.bySecret("hf_secret")).map(Permissions::name).hasValue("ann");
        assertThat(file.bySecret("hf_secreT")).isEmpty();
        assertThat(file.bySecret("")).isEmpty();
        assertThat(file.bySecret(HASH)).isEmpty();
        assertThat(file.byCertificate("ann")).isEmpty();
    }

    @Test
    void aCertificateIsKnownByItsName() {
        TokenFile file = parse("ops cert:ops%20team admin=*");

        assertThat(file.byCertificate("ops team")).map(Permissions::name).hasValue("ops");
        assertThat(file.bySecret("ops team")).isEmpty();
    }

    @Test
    void whoMayLeaseMayReadAndWhoMayAdministerMayDoAll() {
        Permissions permissions = permissions("read=r", "lease=l", "admin=a");

        assertThat(permissions.allow(Access.READ, "r")).isTrue();
        assertThat(permissions.allow(Access.LEASE, "r")).isFalse();
        assertThat(permissions.allow(Access.READ, "l")).isTrue();
        assertThat(permissions.allow(Access.LEASE, "l")).isTrue();
        assertThat(permissions.allow(Access.ADMINISTER, "l")).isFalse();
        assertThat(permissions.allow(Access.LEASE, "a")).isTrue();
        assertThat(permissions.allow(Access.ADMINISTER, "a")).isTrue();
        assertThat(permissions.allow(Access.READ, "other")).isFalse();
        assertThat(permissions.allow(Access.READ, "")).isFalse();
    }

    @Test
    void aStarStandsForAllThatBeginSo() {
        Permissions permissions = permissions("lease=jobs/*,etl,\"\"");

        assertThat(permissions.allow(Access.LEASE, "jobs/nightly")).isTrue();
        assertThat(permissions.allow(Access.LEASE, "jobs")).isFalse();
        assertThat(permissions.allow(Access.LEASE, "etl")).isTrue();
        assertThat(permissions.allow(Access.LEASE, "etl2")).isFalse();
        assertThat(permissions.allow(Access.LEASE, "")).isTrue();
        assertThat(permissions.allowAll(Access.READ, "jobs/n")).isTrue();
        assertThat(permissions.allowAll(Access.READ, "etl")).isFalse();
        assertThat(permissions.allowSome(Access.READ, "et")).isTrue();
        assertThat(permissions.allowSome(Access.READ, "x")).isFalse();
    }

    @Test
    void whoeverLeasesMayHoldAnAnchorButNotReadThoseOfOthers() {
        assertThat(permissions("lease=jobs").allow(Access.LEASE, "~anchors")).isTrue();
        assertThat(permissions("lease=jobs").allow(Access.READ, "~anchors")).isFalse();
        assertThat(permissions("lease=jobs").allow(Access.ADMINISTER, "~anchors"))
                .isFalse();
        assertThat(permissions("read=*").allow(Access.LEASE, "~anchors")).isFalse();
    }

    @Test
    void aBadLineIsNamedAndNoSecretIsShown() {
        isRefused("tokens: it admits no caller (expected: a line for each caller)", "# nobody");
        isRefused(
                "tokens, line 2: permission: write=x (expected: read=, lease= or admin=, and namespaces)",
                "",
                "ann " + HASH + " write=x");
        isRefused(
                "tokens, line 1: second word: 9 characters (expected: sha256:... or cert:...)",
                "ann hf_secret lease=x");
        isRefused(
                "tokens, line 1: hash: 9 characters (expected: sha256: and 64 hexadecimal digits)",
                "ann sha256:hf_secret lease=x");
        isRefused(
                "tokens, line 1: line: 2 words (expected: a name, sha256:... or cert:..., and permissions)",
                "ann " + HASH);
        isRefused(
                "tokens, line 2: name: ann (expected: one that no line above has with other permissions)",
                "ann " + HASH + " read=x",
                "ann cert:a read=y");
        isRefused(
                "tokens, line 2: second word: sha256:... (expected: one that no line above has)",
                "ann " + HASH + " read=x",
                "bob " + HASH + " read=y");
        isRefused(
                "tokens, line 1: permission: 9 characters (expected: read=, lease= or admin=, and namespaces)",
                "ann " + HASH + " hf_secret");
        isRefused(
                "tokens, line 1: namespace: a*b (expected: a namespace, the beginning of some and *, or \"\")",
                "ann " + HASH + " read=a*b");
    }

    @Test
    void everySecretIsNew() {
        assertThat(Secret.create()).startsWith("hf_").hasSize(46).isNotEqualTo(Secret.create());
    }

    @Test
    void aNewTokenIsKnownByItsLine() {
        NewToken token = NewToken.create("ann", List.of("lease=jobs", "read=*"));

        Permissions permissions = parse(token.line()).bySecret(token.secret()).orElseThrow();
        assertThat(permissions.name()).isEqualTo("ann");
        assertThat(permissions.allow(Access.LEASE, "jobs")).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> NewToken.create("a b", List.of("read=*")));
        assertThatIllegalArgumentException().isThrownBy(() -> NewToken.create("ann", List.of()));
    }
}
