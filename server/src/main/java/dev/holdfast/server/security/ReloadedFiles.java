package dev.holdfast.server.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that is built from files and rebuilt when one of them changes. If rebuilding fails, the previous value stays
 * in force, and the failure is logged. The next change is another chance.
 *
 * <p>Thread-safe.
 */
public final class ReloadedFiles<T> {
    private static final Logger log = LoggerFactory.getLogger(ReloadedFiles.class);

    private final String name;
    private final List<Path> files;
    private final Source<T> source;
    private volatile T value;
    private List<byte[]> seen;

    /** Builds the value from the current contents of the files. */
    public interface Source<T> {
        /** @throws IllegalArgumentException if the contents are not valid */
        T read() throws IOException;
    }

    /**
     * @param name the name of the value in the log
     * @throws IllegalArgumentException if the value cannot be built now
     */
    public ReloadedFiles(String name, List<Path> files, Source<T> source) {
        this.name = name;
        this.files = List.copyOf(files);
        this.source = source;
        try {
            this.seen = contents();
            this.value = source.read();
        } catch (IOException e) {
            throw new IllegalArgumentException(name + ": cannot be read: " + e, e);
        }
    }

    public T get() {
        return value;
    }

    /** Rebuilds the value if the contents of a file have changed. */
    public synchronized void look() {
        try {
            List<byte[]> now = contents();
            if (!same(now)) {
                seen = now;
                value = source.read();
                log.info("{} was reloaded", name);
            }
        } catch (IOException | RuntimeException e) {
            log.error("{} changed, but cannot be used, so the previous version stays in force: {}", name, e.toString());
        }
    }

    /**
     * Compares contents, not modification times: a file may be written twice in one tick, or replaced by an older one.
     */
    private List<byte[]> contents() throws IOException {
        byte[][] contents = new byte[files.size()][];
        for (int i = 0; i < contents.length; i++) {
            contents[i] = Files.readAllBytes(files.get(i));
        }
        return Arrays.asList(contents);
    }

    private boolean same(List<byte[]> now) {
        for (int i = 0; i < now.size(); i++) {
            if (!Arrays.equals(seen.get(i), now.get(i))) {
                return false;
            }
        }
        return true;
    }
}
