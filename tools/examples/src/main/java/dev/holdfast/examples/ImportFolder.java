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
 * Importer that processes each file of a folder once. Any number of processes on any number of machines can run it at
 * the same time. {@code ImportFolder sqlite:/tmp/leases.db /tmp/inbox}
 */
public final class ImportFolder {
    private final Once once;
    private final Consumer<Path> importer;

    public ImportFolder(Leases leases, Consumer<Path> importer) {
        // If this process dies halfway, another one can restart with the file after this time.
        AcquireOptions options = AcquireOptions.defaults().term(Duration.ofSeconds(30));
        this.once = Once.with(leases, options);
        this.importer = importer;
    }

    public static void main(String[] args) throws Exception {
        try (Leases leases = Holdfast.open(args[0])) {
            int imported =
                    new ImportFolder(leases, file -> System.out.println("importing " + file)).all(Path.of(args[1]));
            System.out.println(imported + " files imported by this process");
        }
    }

    /** Imports all files that were not imported before, and returns their number. */
    public int all(Path folder) throws Exception {
        int imported = 0;
        for (Path file : files(folder)) {
            Key key = Key.of("import", file.getFileName().toString());
            Once.Result<?> result = once.run(key, lease -> importer.accept(file));
            // Otherwise the file is already done, or another process is importing it.
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
