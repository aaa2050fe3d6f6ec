package dev.holdfast.sqlite;

import dev.holdfast.history.GrantHistory;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.StoreUrl;
import dev.holdfast.support.UrlParameters;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parsed store URL.
 *
 * @param path absolute
 * @param isDefault whether the URL named no path; the store then creates the folders of the default path
 * @param isOneHost whether the user promises that only one host uses the file, on any file system
 * @param history the most lines in the history of a key
 */
record SqliteUrl(Path path, boolean isDefault, Durability durability, boolean isOneHost, int history) {
    static final String ONE_HOST = "hosts=one";
    private static final String RELAXED = "durability=relaxed";
    private static final Set<String> PARAMETERS = Set.of("durability=full", RELAXED, ONE_HOST);
    private static final String HISTORY = UrlParameters.HISTORY + "=";

    SqliteUrl(Path path, boolean isDefault, Durability durability, boolean isOneHost) {
        this(path, isDefault, durability, isOneHost, GrantHistory.USUAL_LINES);
    }

    /** Crashes that a commit survives; {@link SqliteStoreProvider} describes the consequences for leases. */
    enum Durability {
        /** The log is synced before a commit is acknowledged. */
        FULL("FULL"),
        /** The log is synced later, so a power failure may undo the last commits. */
        RELAXED("NORMAL");

        /** The value of SQLite's pragma. */
        final String synchronous;

        Durability(String synchronous) {
            this.synchronous = synchronous;
        }
    }

    static SqliteUrl parse(String url) {
        return parse(url, System.getenv(), Path.of(System.getProperty("user.home")));
    }

    static SqliteUrl parse(String text, Map<String, String> environment, Path home) {
        StoreUrl url = StoreUrl.parse(text);
        Set<String> parameters = parameters(url.query());
        boolean isDefault = url.address().isEmpty();
        return new SqliteUrl(
                isDefault ? defaultPath(environment, home) : path(text, url.address()),
                isDefault,
                parameters.contains(RELAXED) ? Durability.RELAXED : Durability.FULL,
                parameters.contains(ONE_HOST),
                history(parameters));
    }

    private static int history(Set<String> parameters) {
        return parameters.stream()
                .filter(parameter -> parameter.startsWith(HISTORY))
                .findAny()
                .map(UrlParameters::parse)
                .orElseGet(() -> UrlParameters.parse(null))
                .history();
    }

    private static Set<String> parameters(@Nullable String query) {
        Set<String> found = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
            boolean isNew = names.add(parameter.replaceFirst("=.*", ""));
            if (!isNew || !(PARAMETERS.contains(parameter) || parameter.startsWith(HISTORY))) {
                throw ArgumentCheck.bad(
                        "store parameter",
                        parameter,
                        "durability=full, durability=relaxed, " + ONE_HOST + " or history=N");
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
            return Path.of(StoreUrl.decode("path", encoded)).toAbsolutePath();
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
