package dev.holdfast.cli.config;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Location of SQLite's native library in the distribution. Without it, the driver would unpack the library to a
 * temporary file at each start, which it still does on platforms that the distribution has no library for.
 */
final class NativeSqliteLibrary {
    private NativeSqliteLibrary() {}

    static void locate() {
        String home = System.getProperty("holdfast.home");
        if (home == null || System.getProperty("org.sqlite.lib.path") != null) {
            return;
        }
        String name = System.mapLibraryName("sqlitejdbc");
        Path folder = Path.of(home, "lib", "native", platform());
        if (Files.exists(folder.resolve(name))) {
            System.setProperty("org.sqlite.lib.path", folder.toString());
            System.setProperty("org.sqlite.lib.name", name);
        }
    }

    /** The driver's name of this platform. */
    private static String platform() {
        String arch = System.getProperty("os.arch", "");
        String machine = arch.equals("amd64") ? "x86_64" : arch;
        if (System.getProperty("os.name", "").startsWith("Mac")) {
            return "Mac/" + machine;
        }
        boolean musl = Files.exists(Path.of("/lib/ld-musl-" + machine + ".so.1"));
        return (musl ? "Linux-Musl/" : "Linux/") + machine;
    }
}
