package dev.holdfast.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.support.ArgumentCheck;
import java.net.URLDecoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Parsed store URL.
 *
 * @param path absolute
 * @param isDefault whether the URL named no path; the store then creates the folders of the default path
 * @param isOneHost whether the user promises that only one host uses the file, on any file system
 */
record SqliteUrl(Path path, boolean isDefault, SqliteDurability durability, boolean isOneHost) {
    static final String ONE_HOST = "hosts=one";
    private static final String RELAXED = "durability=relaxed";
    private static final Set<String> PARAMETERS = Set.of("durability=full", RELAXED, ONE_HOST);

    static SqliteUrl parse(String url) {
        return parse(url, System.getenv(), Path.of(System.getProperty("user.home")));
    }

    static SqliteUrl parse(String url, Map<String, String> environment, Path home) {
        String rest = url.substring(SqliteStoreProvider.SCHEME.length() + 1);
        int question = rest.indexOf('?');
        String encoded = question < 0 ? rest : rest.substring(0, question);
        Set<String> parameters = question < 0 ? Set.of() : parameters(rest.substring(question + 1));
        SqliteDurability sqliteDurability =
                parameters.contains(RELAXED) ? SqliteDurability.RELAXED : SqliteDurability.FULL;
        boolean isOneHost = parameters.contains(ONE_HOST);
        return encoded.isEmpty()
                ? new SqliteUrl(defaultPath(environment, home), true, sqliteDurability, isOneHost)
                : new SqliteUrl(path(url, encoded).toAbsolutePath(), false, sqliteDurability, isOneHost);
    }

    private static Set<String> parameters(String query) {
        Set<String> found = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (String parameter : query.split("&", -1)) {
            boolean isNew = names.add(parameter.replaceFirst("=.*", ""));
            if (!isNew || !PARAMETERS.contains(parameter)) {
                throw ArgumentCheck.bad(
                        "store parameter", parameter, "durability=full, durability=relaxed or " + ONE_HOST);
            }
            found.add(parameter);
        }
        return found;
    }

    private static Path path(String url, String encoded) {
        if (encoded.toLowerCase(Locale.ROOT).equals(":memory:")) {
            throw ArgumentCheck.bad("store", url, "the path of a file; entries in memory are memory:");
        }
        try {
            // A plus sign stands for itself in a path; it means a space only in forms.
            return Path.of(URLDecoder.decode(encoded.replace("+", "%2B"), UTF_8));
        } catch (InvalidPathException e) {
            throw ArgumentCheck.bad("store", url, "a path of this system; " + e.getReason());
        } catch (IllegalArgumentException e) {
            throw ArgumentCheck.bad("store", url, "two hex digits after each %, and %25 for a % of the path");
        }
    }

    /** The XDG specification requires ignoring a variable that is not an absolute path. */
    private static Path defaultPath(Map<String, String> environment, Path home) {
        String named = environment.getOrDefault("XDG_STATE_HOME", "");
        Path state =
                named.startsWith("/") ? Path.of(named) : home.resolve(".local").resolve("state");
        return state.resolve("holdfast").resolve("holdfast.db");
    }
}
