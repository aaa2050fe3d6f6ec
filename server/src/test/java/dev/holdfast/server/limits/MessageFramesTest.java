package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageFramesTest {
    /** Messages of 3, 0 and 300 bytes, and the first three bytes of a header. */
    private static byte[] bytes() {
        byte[] bytes = new byte[5 + 3 + 5 + 5 + 300 + 3];
        bytes[4] = 3;
        bytes[16] = 1;
        bytes[17] = 44;
        return bytes;
    }

    @Test
    void messagesEndWhereTheirLengthsSayHoweverTheBytesArrive() {
        for (int size = 1; size <= bytes().length; size++) {
            MessageFrames frames = new MessageFrames();
            assertThat(frames.isPartial()).isFalse();
            for (int at = 0; at < bytes().length; at += size) {
                frames.add(bytes(), at, Math.min(size, bytes().length - at));
            }
            assertThat(frames.complete()).as("in pieces of %d", size).isEqualTo(3);
            assertThat(frames.isPartial()).isTrue();
            frames.add(new byte[2], 0, 2);
            assertThat(frames.complete()).isEqualTo(4);
            assertThat(frames.isPartial()).isFalse();
        }
    }

    @Test
    void aLengthOfFourBytesIsNotNegative() {
        MessageFrames frames = new MessageFrames();
        frames.add(new byte[] {1, -1, -1, -1, -1, 0}, 0, 6);

        assertThat(frames.complete()).isZero();
        assertThat(frames.isPartial()).isTrue();
    }
}
