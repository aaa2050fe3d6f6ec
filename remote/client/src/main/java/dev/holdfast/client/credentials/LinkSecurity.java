package dev.holdfast.client.credentials;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How servers are known, and how this client makes itself known.
 *
 * @param ca whom to trust; null for whom the system trusts
 * @param certificate of this client
 * @param key of that certificate
 * @param token shown with every call; in no message and no {@code toString}
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
