package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.server.security.AccessGuard.Access;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenFileTest {
    private static final String HASH = TokenSecret.hashText("hf_secret");

    private static TokenFile parse(String... lines) {
        return TokenFile.parse("tokens", List.of(lines));
    }

    private static CallerPermissions permissions(String... words) {
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

        assertThat(file.bySecret("hf_secret")).map(CallerPermissions::name).hasValue("ann");
        assertThat(file.bySecret("hf_secreT")).isEmpty();
        assertThat(file.bySecret("")).isEmpty();
        assertThat(file.bySecret(HASH)).isEmpty();
        assertThat(file.byCertificate("ann")).isEmpty();
    }

    @Test
    void aCertificateIsKnownByItsName() {
        TokenFile file = parse("ops cert:ops%20team admin=*");

        assertThat(file.byCertificate("ops team")).map(CallerPermissions::name).hasValue("ops");
        assertThat(file.bySecret("ops team")).isEmpty();
    }

    @Test
    void leaseIncludesReadAndAdministerIncludesBoth() {
        CallerPermissions callerPermissions = permissions("read=r", "lease=l", "admin=a");

        assertThat(callerPermissions.allow(Access.READ, "r")).isTrue();
        assertThat(callerPermissions.allow(Access.LEASE, "r")).isFalse();
        assertThat(callerPermissions.allow(Access.READ, "l")).isTrue();
        assertThat(callerPermissions.allow(Access.LEASE, "l")).isTrue();
        assertThat(callerPermissions.allow(Access.ADMINISTER, "l")).isFalse();
        assertThat(callerPermissions.allow(Access.LEASE, "a")).isTrue();
        assertThat(callerPermissions.allow(Access.ADMINISTER, "a")).isTrue();
        assertThat(callerPermissions.allow(Access.READ, "other")).isFalse();
        assertThat(callerPermissions.allow(Access.READ, "")).isFalse();
    }

    @Test
    void aStarStandsForAllNamespacesWithThePrefix() {
        CallerPermissions callerPermissions = permissions("lease=jobs/*,etl,\"\"");

        assertThat(callerPermissions.allow(Access.LEASE, "jobs/nightly")).isTrue();
        assertThat(callerPermissions.allow(Access.LEASE, "jobs")).isFalse();
        assertThat(callerPermissions.allow(Access.LEASE, "etl")).isTrue();
        assertThat(callerPermissions.allow(Access.LEASE, "etl2")).isFalse();
        assertThat(callerPermissions.allow(Access.LEASE, "")).isTrue();
        assertThat(callerPermissions.allowAll(Access.READ, "jobs/n")).isTrue();
        assertThat(callerPermissions.allowAll(Access.READ, "etl")).isFalse();
        assertThat(callerPermissions.allowSome(Access.READ, "et")).isTrue();
        assertThat(callerPermissions.allowSome(Access.READ, "x")).isFalse();
    }

    @Test
    void aCallerThatLeasesMayHoldAnAnchorButNotReadOthers() {
        assertThat(permissions("lease=jobs").allow(Access.LEASE, "~anchors")).isTrue();
        assertThat(permissions("lease=jobs").allow(Access.READ, "~anchors")).isFalse();
        assertThat(permissions("lease=jobs").allow(Access.ADMINISTER, "~anchors"))
                .isFalse();
        assertThat(permissions("read=*").allow(Access.LEASE, "~anchors")).isFalse();
    }

    @Test
    void aBadLineIsNamedAndNoSecretIsShown() {
        isRefused("tokens: no callers (expected: a line for each caller)", "# no callers");
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
                "tokens, line 2: name: ann (expected: the same permissions on all lines with this name)",
                "ann " + HASH + " read=x",
                "ann cert:a read=y");
        isRefused(
                "tokens, line 2: second word: sha256:... (expected: no line above has the same)",
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
        assertThat(TokenSecret.create()).startsWith("hf_").hasSize(46).isNotEqualTo(TokenSecret.create());
    }

    @Test
    void aNewTokenIsKnownByItsLine() {
        NewToken token = NewToken.create("ann", List.of("lease=jobs", "read=*"));

        CallerPermissions callerPermissions =
                parse(token.line()).bySecret(token.secret()).orElseThrow();
        assertThat(callerPermissions.name()).isEqualTo("ann");
        assertThat(callerPermissions.allow(Access.LEASE, "jobs")).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> NewToken.create("a b", List.of("read=*")));
        assertThatIllegalArgumentException().isThrownBy(() -> NewToken.create("ann", List.of()));
    }
}
