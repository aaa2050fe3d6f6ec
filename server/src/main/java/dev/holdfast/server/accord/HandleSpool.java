package dev.holdfast.server.accord;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.proto.accord.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Puts handles in the order in which they were created, however many: they wait in a file, and only where each begins
 * and when it was created is in memory, 16 bytes for each.
 *
 * <p>Stores page in the order of keys, and accord lists by time.
 */
final class HandleSpool implements AutoCloseable {
    private final FileChannel file;
    private long[] created = new long[256];
    private long[] begins = new long[256];
    private int count;
    private long end;

    HandleSpool() throws IOException {
        Path path = Files.createTempFile("holdfast-list", null);
        this.file = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    int count() {
        return count;
    }

    long bytes() {
        return end;
    }

    void add(long createdMicros, Handle handle) throws IOException {
        if (count + 1 == begins.length) {
            created = Arrays.copyOf(created, 2 * created.length);
            begins = Arrays.copyOf(begins, 2 * begins.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(handle.toByteArray());
        created[count] = createdMicros;
        begins[count] = end;
        while (bytes.hasRemaining()) {
            end += file.write(bytes, end);
        }
        count++;
        begins[count] = end;
    }

    /** Takes what is read. */
    interface Reader {
        /** False ends it. */
        boolean take(Handle handle) throws IOException, InterruptedException;
    }

    /** The newest first, without the first {@code offset} of them. */
    void read(long offset, Reader reader) throws IOException, InterruptedException {
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> created[i]).reversed())
                .mapToInt(Integer::intValue)
                .toArray();
        for (int i = (int) Math.min(offset, count); i < count; i++) {
            if (!reader.take(get(order[i]))) {
                return;
            }
        }
    }

    private Handle get(int index) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) (begins[index + 1] - begins[index]));
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = file.read(bytes, begins[index] + bytes.position());
        }
        try {
            return Handle.parseFrom(bytes.flip());
        } catch (InvalidProtocolBufferException e) {
            throw new IOException("what was spooled cannot be read back", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
