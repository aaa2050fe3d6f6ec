package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportFolderTest {
    private static final int FILES = 30;
    private static final int IMPORTERS = 4;

    @TempDir
    private Path folder;

    private final ConcurrentLinkedQueue<Path> imported = new ConcurrentLinkedQueue<>();

    @Test
    void eachFileIsImportedOnceBySeveralImporters() throws Exception {
        Path inbox = Files.createDirectory(folder.resolve("inbox"));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(inbox.resolve("file-" + i), "x");
        }
        ExecutorService threads = Executors.newFixedThreadPool(IMPORTERS);
        List<CompletableFuture<Integer>> counts = new ArrayList<>();
        for (int i = 0; i < IMPORTERS; i++) {
            counts.add(CompletableFuture.supplyAsync(() -> importAll(inbox), threads));
        }

        int sum = counts.stream().mapToInt(CompletableFuture::join).sum();
        threads.shutdown();

        assertThat(sum).isEqualTo(FILES);
        assertThat(imported).hasSize(FILES).doesNotHaveDuplicates();
        assertThat(importAll(inbox)).isZero();
    }

    private int importAll(Path inbox) {
        try (Leases leases = Holdfast.open("sqlite:" + folder.resolve("leases.db"))) {
            return new ImportFolder(leases, imported::add).all(inbox);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
