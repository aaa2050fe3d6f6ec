package dev.holdfast.cli.store;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells SQLite's driver where its native library is in the distribution; left to itself, it unpacks it to a temporary file
 * at each start. Where the distribution has none for this platform the driver goes on as usual.
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

    /** As the driver names them. */
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
