package dev.holdfast.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.Check;
import java.net.URLDecoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * What a URL says.
 *
 * @param path absolute
 * @param isDefault whether the URL named no path: then its folders are ours to create
 */
record SqliteUrl(Path path, boolean isDefault, Durability durability) {
    private static final String DURABILITY = "durability=";

    static SqliteUrl parse(String url) {
        return parse(url, System.getenv(), Path.of(System.getProperty("user.home")));
    }

    static SqliteUrl parse(String url, Map<String, String> environment, Path home) {
        String rest = url.substring(SqliteStoreProvider.SCHEME.length() + 1);
        int question = rest.indexOf('?');
        String encoded = question < 0 ? rest : rest.substring(0, question);
        Durability durability = question < 0 ? Durability.FULL : durability(rest.substring(question + 1));
        return encoded.isEmpty()
                ? new SqliteUrl(defaultPath(environment, home), true, durability)
                : new SqliteUrl(path(url, encoded).toAbsolutePath(), false, durability);
    }

    private static Durability durability(String query) {
        String value = query.startsWith(DURABILITY) ? query.substring(DURABILITY.length()) : "";
        return switch (value) {
            case "full" -> Durability.FULL;
            case "relaxed" -> Durability.RELAXED;
            default -> throw Check.bad("store parameter", query, "durability=full or durability=relaxed");
        };
    }

    private static Path path(String url, String encoded) {
        if (encoded.toLowerCase(Locale.ROOT).equals(":memory:")) {
            throw Check.bad("store", url, "the path of a file; entries in memory are memory:");
        }
        try {
            // A plus sign is itself in a path; only forms make it a space.
            return Path.of(URLDecoder.decode(encoded.replace("+", "%2B"), UTF_8));
        } catch (InvalidPathException e) {
            throw Check.bad("store", url, "a path of this system; " + e.getReason());
        } catch (IllegalArgumentException e) {
            throw Check.bad("store", url, "two hex digits after each %, and %25 for a % of the path");
        }
    }

    /** The XDG rules say to ignore a variable that is not an absolute path. */
    private static Path defaultPath(Map<String, String> environment, Path home) {
        String named = environment.getOrDefault("XDG_STATE_HOME", "");
        Path state =
                named.startsWith("/") ? Path.of(named) : home.resolve(".local").resolve("state");
        return state.resolve("holdfast").resolve("holdfast.db");
    }
}
