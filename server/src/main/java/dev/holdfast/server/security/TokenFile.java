package dev.holdfast.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The callers that one version of a token file admits. Each line has a name, the hash of a secret ({@code sha256:...}) or
 * the common name of a client certificate ({@code cert:...}), and permissions; {@code #} begins a comment. A line that
 * cannot be parsed admits no caller. Immutable.
 *
 * <pre>
 * # name      shows                    may
 * deployer    sha256:9f86d081884c7...  lease=deploy/*
 * dashboard   sha256:60303ae22b998...  read=*
 * operator    cert:ops.example.org     admin=*
 * </pre>
 */
final class TokenFile {
    /** About as many lines as fit into {@link #MOST_BYTES}; a map of this size takes some 50 MB. */
    private static final int MOST = 100_000;

    static final int MOST_BYTES = 16 << 20;

    private static final String CERTIFICATE = "cert:";

    /** The character that replaces bytes that are not UTF-8. */
    private static final char UNDECODABLE = '\uFFFD';

    private final Map<String, CallerPermissions> byProof;
    private final List<String> brokenLines;

    private TokenFile(Map<String, CallerPermissions> byProof, List<String> brokenLines) {
        this.byProof = byProof;
        this.brokenLines = List.copyOf(brokenLines);
    }

    static TokenFile parse(String source, byte[] contents) {
        return parse(source, new String(contents, UTF_8).lines().toList());
    }

    static TokenFile parse(String source, List<String> lines) {
        Map<String, CallerPermissions> byProof = new HashMap<>();
        Map<String, CallerPermissions> byName = new HashMap<>();
        List<String> broken = new ArrayList<>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).replaceFirst("#.*", "").strip();
            try {
                if (!line.isEmpty()) {
                    add(line, byProof, byName);
                }
            } catch (IllegalArgumentException e) {
                broken.add(source + ", line " + number + ": " + e.getMessage());
            }
        }
        return new TokenFile(byProof, broken);
    }

    private static void add(
            String line, Map<String, CallerPermissions> byProof, Map<String, CallerPermissions> byName) {
        if (line.indexOf(UNDECODABLE) >= 0) {
            throw ArgumentCheck.bad("line", line.length() + " characters", "UTF-8");
        }
        List<String> words = List.of(line.split("\\s+"));
        if (words.size() < 3) {
            throw ArgumentCheck.bad("line", words.size() + " words", "a name, sha256:... or cert:..., and permissions");
        }
        String name = words.get(0);
        CallerPermissions callerPermissions = CallerPermissions.parse(name, words.subList(2, words.size()));
        // While a secret is being replaced, the old and the new one belong to the same caller.
        if (!callerPermissions.equals(byName.getOrDefault(name, callerPermissions))) {
            throw ArgumentCheck.bad("name", name, "the same permissions on all lines with this name");
        }
        String proof = proof(words.get(1));
        if (byProof.containsKey(proof)) {
            throw ArgumentCheck.bad(
                    "second word", TokenSecret.isHash(proof) ? "sha256:..." : proof, "no line above has the same");
        }
        if (byProof.size() == MOST) {
            throw ArgumentCheck.bad("lines", byProof.size() + 1, "<= " + MOST);
        }
        byName.put(name, callerPermissions);
        byProof.put(proof, callerPermissions);
    }

    /** The second word of a line in the normalized form used for lookups. */
    private static String proof(String word) {
        if (TokenSecret.isHash(word)) {
            return TokenSecret.normalHash(word);
        }
        if (word.startsWith(CERTIFICATE) && word.length() > CERTIFICATE.length()) {
            return CERTIFICATE + NamespaceRange.decoded(word.substring(CERTIFICATE.length()));
        }
        // Not shown, because it may be the secret itself.
        throw ArgumentCheck.bad("second word", word.length() + " characters", "sha256:... or cert:...");
    }

    /** @throws IllegalArgumentException naming the first broken line, or if no line admits a caller */
    TokenFile requireUsable(String source) {
        if (!brokenLines.isEmpty()) {
            throw new IllegalArgumentException(brokenLines.get(0));
        }
        if (byProof.isEmpty()) {
            throw new IllegalArgumentException(source + ": no callers (expected: a line for each caller)");
        }
        return this;
    }

    Optional<CallerPermissions> bySecret(String secret) {
        return byHash(TokenSecret.hashText(secret));
    }

    /**
     * Finds a caller by the hash of the secret. The time of the lookup reveals nothing about the secrets in the file.
     */
    Optional<CallerPermissions> byHash(String hashText) {
        return Optional.ofNullable(byProof.get(hashText));
    }

    Optional<CallerPermissions> byCertificate(String commonName) {
        return Optional.ofNullable(byProof.get(CERTIFICATE + commonName));
    }

    /** The secrets and certificates that admit a caller. */
    Set<String> proofs() {
        return byProof.keySet();
    }

    /** One message for each line that cannot be parsed; no message shows a secret. */
    List<String> brokenLines() {
        return brokenLines;
    }

    boolean hasSame(String proof, TokenFile other) {
        CallerPermissions callerPermissions = byProof.get(proof);
        return callerPermissions != null && callerPermissions.equals(other.byProof.get(proof));
    }

    boolean admitsSameAs(TokenFile other) {
        return byProof.equals(other.byProof);
    }

    TokenFile without(Set<String> proofs) {
        Map<String, CallerPermissions> left = new HashMap<>(byProof);
        left.keySet().removeAll(proofs);
        return new TokenFile(left, brokenLines);
    }

    /** These callers, and the callers of {@code other} with one of {@code proofs}. */
    TokenFile with(TokenFile other, Set<String> proofs) {
        Map<String, CallerPermissions> all = new HashMap<>(byProof);
        other.byProof.forEach((proof, callerPermissions) -> {
            if (proofs.contains(proof)) {
                all.putIfAbsent(proof, callerPermissions);
            }
        });
        return new TokenFile(all, brokenLines);
    }
}
