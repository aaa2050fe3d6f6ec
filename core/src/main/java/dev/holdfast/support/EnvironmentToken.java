package dev.holdfast.support;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bearer token that a client finds in its environment.
 *
 * <p>{@code HOLDFAST_TOKEN} is the older name of two things. In commands under a lease it is the token of that lease,
 * which is in {@code HOLDFAST_LEASE_TOKEN}, too. By this a client recognizes that it is no bearer token.
 */
public final class EnvironmentToken {
    /** The bearer token that a client sends to a server. */
    public static final String AUTH_TOKEN = "HOLDFAST_AUTH_TOKEN";

    /** The token of a lease, in the environment of a command that runs under it. */
    public static final String LEASE_TOKEN = "HOLDFAST_LEASE_TOKEN";

    /** The older name of both. */
    public static final String OLD_NAME = "HOLDFAST_TOKEN";

    private EnvironmentToken() {}

    /** The bearer token; null if there is none. */
    public static @Nullable String find(Map<String, String> environment) {
        String named = environment.getOrDefault(AUTH_TOKEN, "");
        if (!named.isBlank()) {
            return named;
        }
        String old = environment.getOrDefault(OLD_NAME, "");
        boolean ofLease = old.equals(environment.get(LEASE_TOKEN));
        return old.isBlank() || ofLease ? null : old;
    }
}
