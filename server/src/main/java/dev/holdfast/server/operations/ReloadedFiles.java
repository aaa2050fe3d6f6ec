package dev.holdfast.server.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made of files, made anew when one of them changes. If that fails, what was made before stays, and the log says
 * so; the next change is another chance.
 *
 * <p>Thread-safe.
 */
public final class ReloadedFiles<T> implements ReloadableValue {
    private static final Logger log = LoggerFactory.getLogger(ReloadedFiles.class);

    private final String what;
    private final List<Path> files;
    private final Source<T> source;
    private volatile T value;
    private List<byte[]> seen;

    /** Makes the value of what is in the files now. */
    public interface Source<T> {
        /** @throws IllegalArgumentException if what is in them is not understood */
        T read() throws IOException;
    }

    /**
     * @param what for the log
     * @throws IllegalArgumentException if it cannot be made now
     */
    public ReloadedFiles(String what, List<Path> files, Source<T> source) {
        this.what = what;
        this.files = List.copyOf(files);
        this.source = source;
        try {
            this.seen = contents();
            this.value = source.read();
        } catch (IOException e) {
            throw new IllegalArgumentException(what + ": cannot be read: " + e, e);
        }
    }

    public T get() {
        return value;
    }

    /** Looks at the files, and makes the value anew if one of them has other contents. */
    @Override
    public synchronized void look() {
        try {
            List<byte[]> now = contents();
            if (!same(now)) {
                seen = now;
                value = source.read();
                log.info("{} was read again", what);
            }
        } catch (IOException | RuntimeException e) {
            log.error(
                    "{} changed, but cannot be used, so what was there before stays in force: {}", what, e.toString());
        }
    }

    /** Contents, not times: a file may be written twice in one tick, or replaced by an older one. */
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
