package dev.holdfast.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Identities (device and inode) of files at the time when SQLite opened them. A file that was deleted, moved or
 * replaced since is still open here. Other processes open a different one, so two processes could hold one key.
 *
 * <p>It reads only attributes, because opening and closing the database file would drop SQLite's locks on it. On
 * systems without file identities it detects nothing.
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

    /** Returns the first file that is no longer the same; null if there is none. */
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
