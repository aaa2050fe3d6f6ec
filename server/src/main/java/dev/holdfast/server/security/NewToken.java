package dev.holdfast.server.security;

import java.util.List;

/**
 * A newly created token.
 *
 * @param secret the secret for the client; it is stored nowhere else
 * @param line the line for the token file
 */
public record NewToken(String secret, String line) {
    /**
     * @param permissions such as {@code lease=jobs/*}
     * @throws IllegalArgumentException if the permissions or the name are not valid in a token file
     */
    public static NewToken create(String name, List<String> permissions) {
        String secret = TokenSecret.create();
        String line = name + " " + TokenSecret.hashText(secret) + " " + String.join(" ", permissions);
        if (name.isBlank() || name.matches("(?s).*[\\s#].*")) {
            throw new IllegalArgumentException("name: \"" + name + "\" (expected: one word, without #)");
        }
        if (permissions.isEmpty()) {
            throw new IllegalArgumentException(
                    "permissions: none (expected: at least one to read, lease or administer)");
        }
        TokenFile.parse("token", List.of(line)).requireUsable("token");
        return new NewToken(secret, line);
    }
}
