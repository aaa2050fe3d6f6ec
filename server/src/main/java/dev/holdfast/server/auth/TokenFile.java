package dev.holdfast.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who is let in. A line for each: a name, the hash of a secret ({@code sha256:...}) or the common name of a client
 * certificate ({@code cert:...}), and what it may do where; {@code #} begins a comment.
 *
 * <pre>
 * # name      shows                    may
 * deployer    sha256:9f86d081884c7...  lease=deploy/*
 * dashboard   sha256:60303ae22b998...  read=*
 * operator    cert:ops.example.org     admin=*
 * </pre>
 */
final class TokenFile {
    /** Every request is compared with all of them. */
    private static final int MOST = 10_000;

    /** Far more than the most lines take. */
    private static final long MOST_BYTES = 16 << 20;

    private final List<Hashed> secrets;
    private final Map<String, Permissions> certificates;

    private TokenFile(List<Hashed> secrets, Map<String, Permissions> certificates) {
        this.secrets = secrets;
        this.certificates = certificates;
    }

    /** The hash as text, for it to be a value; as long as any other, so that comparing takes as long. */
    private record Hashed(String hash, Permissions permissions) {
        boolean isOf(byte[] other) {
            return MessageDigest.isEqual(HexFormat.of().parseHex(hash), other);
        }
    }

    /** @throws IllegalArgumentException naming the line, if one is not understood */
    static TokenFile read(Path path) throws IOException {
        if (Files.size(path) > MOST_BYTES) {
            throw Check.bad("tokens", Files.size(path) + " bytes", "<= " + MOST_BYTES + " bytes");
        }
        return parse(path.toString(), Files.readString(path, UTF_8).lines().toList());
    }

    static TokenFile parse(String source, List<String> lines) {
        List<Hashed> secrets = new ArrayList<>();
        Map<String, Permissions> certificates = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).replaceFirst("#.*", "").strip();
            try {
                if (!line.isEmpty()) {
                    add(line, secrets, certificates, names);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(source + ", line " + number + ": " + e.getMessage(), e);
            }
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException(source + ": it lets nobody in (expected: a line for each who may come)");
        }
        return new TokenFile(secrets, certificates);
    }

    private static void add(
            String line, List<Hashed> secrets, Map<String, Permissions> certificates, Set<String> names) {
        List<String> words = List.of(line.split("\\s+"));
        if (words.size() < 3) {
            throw Check.bad("line", words.size() + " words", "a name, sha256:... or cert:..., and permissions");
        }
        if (!names.add(words.get(0))) {
            throw Check.bad("name", words.get(0), "one that no line above has");
        }
        if (names.size() > MOST) {
            throw Check.bad("lines", names.size(), "<= " + MOST);
        }
        Permissions permissions = Permissions.parse(words.get(0), words.subList(2, words.size()));
        String shown = words.get(1);
        if (Secret.isHash(shown)) {
            secrets.add(new Hashed(HexFormat.of().formatHex(Secret.parseHash(shown)), permissions));
        } else if (shown.startsWith("cert:") && shown.length() > "cert:".length()) {
            String name = NamespacePattern.decoded(shown.substring("cert:".length()));
            if (certificates.put(name, permissions) != null) {
                throw Check.bad("cert", name, "a name that no line above has");
            }
        } else {
            // Not shown: it may be the secret itself.
            throw Check.bad("second word", shown.length() + " characters", "sha256:... or cert:...");
        }
    }

    /** All are compared, and each in the same time wherever it differs: how long it takes tells nothing. */
    Optional<Permissions> bySecret(String secret) {
        byte[] hash = Secret.hash(secret);
        Permissions found = null;
        for (Hashed each : secrets) {
            if (each.isOf(hash)) {
                found = each.permissions();
            }
        }
        return Optional.ofNullable(found);
    }

    Optional<Permissions> byCertificate(String commonName) {
        return Optional.ofNullable(certificates.get(commonName));
    }
}
