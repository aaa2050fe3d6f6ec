package dev.holdfast.internal.environment;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;

/**
 * Draws ids that nobody can guess: tokens prove ownership.
 *
 * <p>They are UUIDs of version 7: the time in milliseconds, then 74 random bits. Those of one moment are neighbours in an
 * index, so that a store writes one page for many of them, where ids that are all chance take a page each.
 */
final class RandomIds {
    private static final int RANDOM_BYTES = 10;
    private static final long VERSION_7 = 0x7000;
    private static final long TWELVE_BITS = 0x0fff;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private RandomIds() {}

    static UUID id() {
        return id(System.currentTimeMillis(), Generator.next());
    }

    /**
     * For a process that draws a few and ends: from the kernel itself, which is where Java's generator gets its seed. To
     * set up the generator takes longer than the rest of the call; in the long run it is the faster one.
     */
    static UUID oneOfFew() {
        byte[] random = new byte[RANDOM_BYTES];
        try (FileInputStream kernel = new FileInputStream("/dev/urandom")) {
            if (kernel.readNBytes(random, 0, RANDOM_BYTES) == RANDOM_BYTES) {
                return id(System.currentTimeMillis(), random);
            }
        } catch (IOException e) {
            // No such system.
        }
        return id();
    }

    static UUID id(long millis, byte[] random) {
        ByteBuffer bits = ByteBuffer.wrap(random);
        long first = (millis << 16) | VERSION_7 | (bits.getShort() & TWELVE_BITS);
        return new UUID(first, VARIANT | (bits.getLong() >>> 2));
    }

    /** Set up when first needed. Draws many at once: each call of Java's generator costs as much as the id itself. */
    private static final class Generator {
        private static final SecureRandom RANDOM = new SecureRandom();
        private static final byte[] DRAWN = new byte[256 * RANDOM_BYTES];
        private static int used = DRAWN.length;

        static synchronized byte[] next() {
            if (used == DRAWN.length) {
                RANDOM.nextBytes(DRAWN);
                used = 0;
            }
            byte[] random = Arrays.copyOfRange(DRAWN, used, used + RANDOM_BYTES);
            used += RANDOM_BYTES;
            return random;
        }
    }
}
