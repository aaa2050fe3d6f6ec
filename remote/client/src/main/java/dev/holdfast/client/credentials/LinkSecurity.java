package dev.holdfast.client.credentials;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The way a client authenticates servers, and itself to them.
 *
 * @param ca the certificates to trust; null for the ones that the system trusts
 * @param certificate the certificate of this client
 * @param key the key of that certificate
 * @param token the token to send with every call; never in a message or in {@code toString}
 */
public record LinkSecurity(
        boolean tls,
        @Nullable Path ca,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable BearerTokenFile token) {
    @Override
    public String toString() {
        return "Security[tls " + tls + ", ca " + ca + ", certificate " + certificate + ", "
                + (token == null ? "no token]" : "a token]");
    }
}
