package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Wall clocks of client processes that can be stepped while they run, by Debian's libfaketime. The monotonic clock stays
 * real: a JVM hangs otherwise, and terms are measured with it.
 */
public final class FakedClocks {
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private final Path library;
    private final Path folder;

    private FakedClocks(Path library, Path folder) {
        this.library = library;
        this.folder = folder;
    }

    /** Returns the clocks if the library is installed. Their offsets are in an existing folder. */
    public static Optional<FakedClocks> find(Path folder) throws IOException {
        try (Stream<Path> systems = Files.list(Path.of("/usr/lib"))) {
            return systems.map(system -> system.resolve(LIBRARY))
                    .filter(Files::isReadable)
                    .findFirst()
                    .map(library -> new FakedClocks(library, folder.toAbsolutePath()));
        }
    }

    /** The environment of a client whose clock can be stepped. */
    public Map<String, String> environment(int client) throws IOException {
        if (!Files.exists(file(client))) {
            step(client, Duration.ZERO);
        }
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // A workaround for old C libraries, on by default: with it, timed waits of a JVM return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "FAKETIME_NO_CACHE", "1",
                "NO_FAKE_STAT", "1",
                "FAKETIME_TIMESTAMP_FILE", file(client).toString());
    }

    /** Sets the wall clock of a client to the real time and an offset. */
    public void step(int client, Duration offset) throws IOException {
        Path next = folder.resolve("clock-" + client + ".next");
        Files.writeString(next, (offset.isNegative() ? "" : "+") + offset.toSeconds() + "s\n");
        // At once: a client that reads half of a file would fall back to the real time.
        Files.move(next, file(client), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path file(int client) {
        return folder.resolve("clock-" + client + ".offset");
    }
}
