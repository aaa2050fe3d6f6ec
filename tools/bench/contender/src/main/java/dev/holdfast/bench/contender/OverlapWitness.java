package dev.holdfast.bench.contender;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that all processes of an opponent map into their memory, with a slot for every lock. A holder writes its number
 * into the slot by compare-and-set after the grant, and clears it before the release. A slot that is taken shows that
 * two holders overlapped, unless the process of the earlier one is dead.
 */
public final class OverlapWitness {
    /** Loads number their locks from 0, so a slot belongs to one lock. */
    static final int SLOTS = 1 << 17;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int CALLER_BITS = 20;

    private final ByteBuffer slots;
    private final long process;
    private volatile String overlap = "";

    public OverlapWitness(Path file) throws IOException {
        this(file, ProcessHandle.current().pid());
    }

    OverlapWitness(Path file, long process) throws IOException {
        this.process = process;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            slots = channel.map(FileChannel.MapMode.READ_WRITE, 0, SLOTS * (long) Long.BYTES);
        }
    }

    void enter(int lock, int caller) {
        long mine = number(caller);
        long seen = (long) LONGS.compareAndExchange(slots, at(lock), 0L, mine);
        while (seen != 0) {
            if (isAlive(seen >> CALLER_BITS)) {
                report("lock " + lock + " was granted to " + name(mine) + " while " + name(seen) + " held it");
                return;
            }
            long dead = seen;
            seen = (long) LONGS.compareAndExchange(slots, at(lock), dead, mine);
            if (seen == dead) {
                return;
            }
        }
    }

    void leave(int lock, int caller) {
        long mine = number(caller);
        long seen = (long) LONGS.compareAndExchange(slots, at(lock), mine, 0L);
        if (seen != mine) {
            report("lock " + lock + " of " + name(mine) + " was granted to " + name(seen) + " as well");
        }
    }

    /** A description of the first overlap that this process saw; empty if there was none. */
    String overlap() {
        return overlap;
    }

    private synchronized void report(String text) {
        overlap = overlap.isEmpty() ? text : overlap;
    }

    private static int at(int lock) {
        return Math.floorMod(lock, SLOTS) * Long.BYTES;
    }

    private long number(int caller) {
        return process << CALLER_BITS | caller + 1;
    }

    private static String name(long number) {
        return "caller " + ((number & (1L << CALLER_BITS) - 1) - 1) + " of process " + (number >> CALLER_BITS);
    }

    /** A killed process that its parent has not yet waited for is dead, too. */
    private static boolean isAlive(long process) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(process), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
