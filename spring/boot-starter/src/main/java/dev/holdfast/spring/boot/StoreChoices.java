package dev.holdfast.spring.boot;

import dev.holdfast.spring.HoldfastSetupException;
import java.util.Map;

/** The stores that a property can name, for messages. */
final class StoreChoices {
    private static final String ALL = """
            Set %s to one of
              datasource                                the PostgreSQL database of the application's DataSource, on connections of its own
              postgresql://USER:PASSWORD@HOST/DATABASE  a PostgreSQL database
              dynamodb://TABLE?region=REGION            a DynamoDB table (add dev.holdfast:holdfast-dynamodb)
              http://HOST:7475                          Holdfast servers (add dev.holdfast:holdfast-client)
              sqlite:PATH                               a file, for the processes of one host (add dev.holdfast:holdfast-sqlite)
              memory:                                   this process only, for tests
            or define a bean of type dev.holdfast.Leases, or set holdfast.enabled=false.""";

    private static final Map<String, String> ARTIFACTS = Map.of(
            "dynamodb", "holdfast-dynamodb",
            "http", "holdfast-client",
            "https", "holdfast-client",
            "sqlite", "holdfast-sqlite",
            "postgres", "holdfast-postgres",
            "postgresql", "holdfast-postgres");

    private StoreChoices() {}

    static HoldfastSetupException unset(String property) {
        return new HoldfastSetupException(
                "Holdfast has no store: the property " + property + " is not set. There is no default, because a store"
                        + " that other instances cannot see would give each of them a lock of its own.",
                choices(property));
    }

    /** @param problem must not contain a password */
    static HoldfastSetupException unusable(String property, String problem, Throwable cause) {
        return new HoldfastSetupException(
                "Holdfast cannot use the store of the property " + property + ": " + problem, choices(property), cause);
    }

    static HoldfastSetupException unreachable(String property, Throwable cause) {
        return new HoldfastSetupException(
                "Holdfast cannot open the store of the property " + property + ": " + cause.getMessage(),
                "Check that the store is running, and that this application may use it.",
                cause);
    }

    /** The artifact for the scheme of a URL, as a hint; empty if it is unknown. */
    static String artifactHint(String url) {
        int colon = url.indexOf(':');
        String artifact = colon < 0 ? null : ARTIFACTS.get(url.substring(0, colon));
        return artifact == null ? "" : " This store needs the artifact dev.holdfast:" + artifact + ".";
    }

    private static String choices(String property) {
        return ALL.formatted(property);
    }
}
