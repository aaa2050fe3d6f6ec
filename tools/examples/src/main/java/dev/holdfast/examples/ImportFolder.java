package dev.holdfast.examples;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Imports each file of a folder once, whoever gets to it first: start it as often, and on as many machines, as you like.
 * {@code ImportFolder sqlite:/tmp/leases.db /tmp/inbox}
 */
public final class ImportFolder {
    private final Once once;
    private final Consumer<Path> importer;

    public ImportFolder(Leases leases, Consumer<Path> importer) {
        // If this process dies half-way, others may begin anew with the file after this time.
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofSeconds(30));
        this.once = Once.with(leases, options);
        this.importer = importer;
    }

    public static void main(String[] args) throws Exception {
        try (Leases leases = Holdfast.open(args[0])) {
            int imported =
                    new ImportFolder(leases, file -> System.out.println("importing " + file)).all(Path.of(args[1]));
            System.out.println(imported + " imported here");
        }
    }

    /** Imports what nobody has imported; returns how many files that were. */
    public int all(Path folder) throws Exception {
        int imported = 0;
        for (Path file : files(folder)) {
            Once.Result<Path> result =
                    once.run(Key.of("import", file.getFileName().toString()), lease -> {
                        importer.accept(file);
                        return file;
                    });
            // Else it was done before, or another is at it now.
            imported += result instanceof Once.Result.Ran ? 1 : 0;
        }
        return imported;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
