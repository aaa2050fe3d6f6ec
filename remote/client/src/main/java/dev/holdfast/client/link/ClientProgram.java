package dev.holdfast.client.link;

import org.jspecify.annotations.Nullable;

/** The name and version of this client, which a server shows to operators. */
final class ClientProgram {
    /** The value of the header {@code User-Agent}. */
    static final String USER_AGENT = userAgent(ClientProgram.class.getPackage().getImplementationVersion());

    private ClientProgram() {}

    /** @param version from the manifest of the jar; null if the classes are not in a jar */
    static String userAgent(@Nullable String version) {
        return version == null ? "holdfast-java" : "holdfast-java/" + version;
    }
}
