package dev.holdfast.environment;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;

/**
 * The generator of ids that cannot be guessed: tokens prove ownership.
 *
 * <p>They are UUIDs of version 7: the time in milliseconds, then 74 random bits. Ids of one moment are neighbors in an
 * index, so a store writes one page for many of them. Fully random ids would take a page each.
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
     * An id for a process that draws a few and ends. It comes directly from the kernel, which also seeds Java's
     * generator. Setting up that generator takes longer than the rest of the call; for many ids it is the faster one.
     */
    static UUID oneOfFew() {
        byte[] random = new byte[RANDOM_BYTES];
        try (FileInputStream kernel = new FileInputStream("/dev/urandom")) {
            if (kernel.readNBytes(random, 0, RANDOM_BYTES) == RANDOM_BYTES) {
                return id(System.currentTimeMillis(), random);
            }
        } catch (IOException e) {
            // Not a system with this device.
        }
        return id();
    }

    static UUID id(long millis, byte[] random) {
        ByteBuffer bits = ByteBuffer.wrap(random);
        long first = (millis << 16) | VERSION_7 | (bits.getShort() & TWELVE_BITS);
        return new UUID(first, VARIANT | (bits.getLong() >>> 2));
    }

    /**
     * Java's generator, set up when first needed. It draws the bytes of many ids at once: each call costs as much as an
     * id.
     */
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
