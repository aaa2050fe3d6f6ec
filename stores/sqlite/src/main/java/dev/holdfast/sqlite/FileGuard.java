package dev.holdfast.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The identities (device and inode) of files as they were when SQLite opened them. A file that was deleted, moved or
 * replaced since is still open here, but other processes open another one: two processes could hold one key.
 *
 * <p>Asks for attributes only: opening and closing the database file would drop SQLite's locks on it. Where the system has
 * no identities, nothing is detected.
 */
final class FileGuard {
    private final Map<Path, Object> identities = new LinkedHashMap<>();

    /** Files that do not exist now are not watched. */
    FileGuard(Path... files) {
        for (Path file : files) {
            Object identity = identity(file);
            if (identity != null) {
                identities.put(file, identity);
            }
        }
    }

    /** The first file that is no longer the one it was; null if there is none. */
    @Nullable
    Path changedFile() {
        for (Map.Entry<Path, Object> known : identities.entrySet()) {
            if (!known.getValue().equals(identity(known.getKey()))) {
                return known.getKey();
            }
        }
        return null;
    }

    private static @Nullable Object identity(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}
