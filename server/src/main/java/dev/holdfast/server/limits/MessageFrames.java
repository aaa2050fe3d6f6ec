package dev.holdfast.server.limits;

/**
 * The boundaries of messages in a gRPC stream, tracked without decoding them. A message is a flag, a length, and that
 * many bytes.
 */
final class MessageFrames {
    private static final int HEADER_BYTES = 5;

    private int headerBytes;
    private long length;
    private long missing;
    private boolean inMessage;
    private long complete;

    void add(byte[] bytes, int offset, int count) {
        int at = offset;
        while (at < offset + count) {
            if (!inMessage) {
                header(bytes[at++] & 0xff);
            } else {
                long taken = Math.min(missing, (long) offset + count - at);
                missing -= taken;
                at += (int) taken;
            }
            if (inMessage && missing == 0) {
                inMessage = false;
                headerBytes = 0;
                complete++;
            }
        }
    }

    private void header(int next) {
        length = headerBytes == 0 ? 0 : (length << 8) | next; // The first byte is the flag.
        if (++headerBytes == HEADER_BYTES) {
            inMessage = true;
            missing = length;
        }
    }

    /** The number of complete messages so far. */
    long complete() {
        return complete;
    }

    /** Whether a message, or its header, has begun but not ended. */
    boolean isPartial() {
        return inMessage || headerBytes > 0;
    }
}
