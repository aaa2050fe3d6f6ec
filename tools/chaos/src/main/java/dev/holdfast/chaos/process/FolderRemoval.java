package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The removal of a folder with all its files. */
final class FolderRemoval {
    private FolderRemoval() {}

    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(folder)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }

    /** Removes what can be removed. Left-over files below the folder for temporary files do no harm. */
    static void removeQuietly(Path folder) {
        try {
            remove(folder);
        } catch (IOException e) {
            System.err.println("holdfast-chaos: cannot remove " + folder + ": " + e.getMessage());
        }
    }
}
