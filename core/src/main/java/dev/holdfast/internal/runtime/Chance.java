package dev.holdfast.internal.runtime;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Draws ids that nobody can guess: tokens prove ownership. */
final class Chance {
    private static final int BYTES = 16;

    private Chance() {}

    static UUID id() {
        return UUID.randomUUID();
    }

    /**
     * For a process that draws a few and ends: from the kernel itself, which is where Java's generator gets its seed. To set
     * up the generator takes longer than the rest of the call; in the long run it is the faster one.
     */
    static UUID fewIds() {
        byte[] drawn = new byte[BYTES];
        try (FileInputStream kernel = new FileInputStream("/dev/urandom")) {
            if (kernel.readNBytes(drawn, 0, BYTES) == BYTES) {
                return idOf(drawn);
            }
        } catch (IOException e) {
            // No such system.
        }
        return id();
    }

    /** Version 4, the variant of RFC 9562: as {@link UUID#randomUUID} makes them. */
    private static UUID idOf(byte[] random) {
        ByteBuffer halves = ByteBuffer.wrap(random);
        long high = (halves.getLong() & ~0xf000L) | 0x4000L;
        long low = (halves.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
