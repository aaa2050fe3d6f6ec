package dev.holdfast.chaos.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A small file system in memory, which a balloon file fills. Mounting it needs root's permission. */
public final class SmallDisk implements AutoCloseable {
    private static final String SIZE = "48m";
    private static final int BLOCK_BYTES = 64 * 1024;

    /** More blocks than the disk has. */
    private static final int MOST_BLOCKS = 2_000;

    private final Path folder;
    private final Thread unmountAtEnd = new Thread(this::unmount, "chaos-disk-end");

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** @throws IOException if this process may not mount it */
    public static SmallDisk mount(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        ToolRun.run(
                "mount", List.of("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "holdfast-chaos", folder.toString()));
        SmallDisk disk = new SmallDisk(folder);
        Runtime.getRuntime().addShutdownHook(disk.unmountAtEnd);
        return disk;
    }

    public Path folder() {
        return folder;
    }

    /** Fills the disk to the last byte. */
    public void fill() throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream balloon =
                Files.newOutputStream(balloon(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int i = 0; i < MOST_BLOCKS; i++) {
                balloon.write(block);
            }
        } catch (IOException e) {
            // The end of the disk. A write that does not fit is cut short there.
            return;
        }
        throw new IOException("the disk " + folder + " is larger than expected");
    }

    public void empty() throws IOException {
        Files.deleteIfExists(balloon());
    }

    private Path balloon() {
        return folder.resolve("balloon");
    }

    private void unmount() {
        try {
            // Lazily: a client that is about to end may still have a file open.
            ToolRun.run("umount", List.of("umount", "-l", folder.toString()));
        } catch (IOException e) {
            System.err.println("holdfast-chaos: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(unmountAtEnd);
        unmount();
    }
}
