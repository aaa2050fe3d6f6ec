package dev.holdfast.cli.config;

import java.nio.file.Path;

/** Helper for the URL of a store. */
final class StoreUrl {
    private static final String SQLITE = "sqlite:";

    private StoreUrl() {}

    /** Makes the path of an SQLite URL absolute, so that a child process finds the same file from any folder. */
    static String absolute(String url) {
        if (!url.regionMatches(true, 0, SQLITE, 0, SQLITE.length())) {
            return url;
        }
        String path = url.substring(SQLITE.length());
        if (path.isEmpty() || path.startsWith("/") || path.startsWith("?") || path.startsWith(":")) {
            return url;
        }
        String here = Path.of("").toAbsolutePath().toString();
        return SQLITE + here.replace("%", "%25").replace("?", "%3F") + "/" + path;
    }
}
