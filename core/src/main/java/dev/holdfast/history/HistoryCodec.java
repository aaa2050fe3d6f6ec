package dev.holdfast.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The one binary encoding of histories: about 14 bytes for a line, and each different name once.
 *
 * <pre>
 * history = 0x01 signed texts count *line   ; the format version, then the time of creation of the key in microseconds
 * texts   = count *(count *OCTET)           ; UTF-8: holders, actors and reasons
 * line    = count *OCTET                    ; that many, and in them:
 *           count                           ; number, as the difference from the line before
 *           count                           ; fence, as the difference from the line before
 *           count                           ; index of the holder among the texts
 *           signed                          ; granted at, in microseconds after the time that the fence stands for
 *           count                           ; end, see GrantEnd
 *           signed                          ; ended by, in microseconds after granted at
 *           [count count]                   ; actor and reason, as indexes plus one; 0 for none
 * count   = 1*9OCTET                        ; unsigned LEB128
 * signed  = count                           ; zigzag
 * </pre>
 *
 * <p>A fence is usually the time of its grant in microseconds, so that time takes one byte.
 *
 * <p>The format may grow: later versions may append fields to a line, which this code skips, and loses when it writes
 * the line again. Any other change, a new {@link GrantEnd} too, needs a new format version. Code that does not know a
 * version leaves such bytes as they are, and adds no lines to them.
 */
final class HistoryCodec {
    private static final int VERSION = 0x01;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    /** Times some 140,000 years away are cut there, so that no difference of two times overflows. */
    private static final long LAST_MICROS = Long.MAX_VALUE / 2;

    private HistoryCodec() {}

    static byte[] encode(Instant createdAt, List<PastGrant> lines) {
        Map<String, Integer> texts = new LinkedHashMap<>();
        HistoryWriter body = new HistoryWriter();
        HistoryWriter encoded = new HistoryWriter();
        long number = 0;
        long fence = 0;
        for (PastGrant line : lines) {
            requireAscending(body.size == 0, line, number, fence);
            encoded.size = 0;
            write(line, number, fence, texts, encoded);
            body.counted(encoded.out, encoded.size);
            number = line.number();
            fence = line.fence().value();
        }
        HistoryWriter out = new HistoryWriter();
        out.octet(VERSION);
        out.signed(micros(createdAt));
        out.count(texts.size());
        for (String text : texts.keySet()) {
            byte[] bytes = text.getBytes(UTF_8);
            out.counted(bytes, bytes.length);
        }
        out.count(lines.size());
        out.bytes(body.out, body.size);
        return Arrays.copyOf(out.out, out.size);
    }

    private static void requireAscending(boolean isFirst, PastGrant line, long number, long fence) {
        if (!isFirst && (line.number() <= number || line.fence().value() <= fence)) {
            throw ArgumentCheck.bad("history", "line " + line.number() + " after " + number, "in ascending order");
        }
    }

    private static void write(PastGrant line, long number, long fence, Map<String, Integer> texts, HistoryWriter out) {
        long grantedMicros = micros(line.grantedAt());
        out.count(line.number() - number);
        out.count(line.fence().value() - fence);
        out.count(index(texts, line.holder().name()));
        out.signed(grantedMicros - line.fence().value());
        out.count(line.end().code());
        out.signed(micros(line.endedBy()) - grantedMicros);
        if (line.end() == GrantEnd.EVICTED) {
            out.count(line.actor() == null ? 0 : index(texts, line.actor().name()) + 1L);
            out.count(line.reason() == null ? 0 : index(texts, line.reason()) + 1L);
        }
    }

    private static int index(Map<String, Integer> texts, String text) {
        return texts.computeIfAbsent(text, added -> texts.size());
    }

    static boolean isKnown(byte[] encoded) {
        return encoded[0] == VERSION;
    }

    /** Whether the bytes may belong to a key that was created at {@code createdAt}. */
    static boolean isOf(Instant createdAt, byte[] encoded) {
        if (!isKnown(encoded)) {
            return true;
        }
        try {
            return new HistoryReader(encoded, 1).signed() == micros(createdAt);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The lines; none if the bytes are damaged, or in a format that this code does not know. */
    static List<PastGrant> decode(byte[] encoded) {
        try {
            return isKnown(encoded) ? lines(new HistoryReader(encoded, 1)) : List.of();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static List<PastGrant> lines(HistoryReader in) {
        in.signed();
        List<String> texts = new ArrayList<>();
        for (int left = in.size(); left > 0; left--) {
            texts.add(new String(in.bytes(), UTF_8));
        }
        List<PastGrant> lines = new ArrayList<>();
        long number = 0;
        long fence = 0;
        for (int left = in.size(); left > 0; left--) {
            PastGrant line = line(new HistoryReader(in.bytes(), 0), number, fence, texts);
            requireAscending(lines.isEmpty(), line, number, fence);
            lines.add(line);
            number = line.number();
            fence = line.fence().value();
        }
        return List.copyOf(lines.subList(Math.max(0, lines.size() - GrantHistory.MOST_LINES), lines.size()));
    }

    private static PastGrant line(HistoryReader in, long numberBefore, long fenceBefore, List<String> texts) {
        long number = numberBefore + in.count();
        long fence = fenceBefore + in.count();
        Holder holder = Holder.of(text(texts, in.count()));
        long grantedMicros = fence + in.signed();
        GrantEnd end = GrantEnd.ofCode(in.count());
        long endedMicros = grantedMicros + in.signed();
        if (end == null) {
            throw ArgumentCheck.bad("history", "an unknown end", "one of GrantEnd");
        }
        long actor = end == GrantEnd.EVICTED ? in.count() : 0;
        long reason = end == GrantEnd.EVICTED ? in.count() : 0;
        return new PastGrant(
                number,
                holder,
                Fence.of(fence),
                instant(grantedMicros),
                end,
                instant(endedMicros),
                actor == 0 ? null : Holder.of(text(texts, actor - 1)),
                reason == 0 ? null : text(texts, reason - 1));
    }

    private static String text(List<String> texts, long index) {
        if (index < 0 || index >= texts.size()) {
            throw ArgumentCheck.bad("history", "text " + index, "one of " + texts.size());
        }
        return texts.get((int) index);
    }

    private static long micros(Instant time) {
        long lastSecond = LAST_MICROS / MICROS_PER_SECOND;
        long seconds = Math.max(-lastSecond, Math.min(lastSecond, time.getEpochSecond()));
        return seconds * MICROS_PER_SECOND + time.getNano() / NANOS_PER_MICRO;
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    }

    /** Bytes of which more and more are written. Unlike Java's own stream, it takes no lock for each byte. */
    private static final class HistoryWriter {
        private byte[] out = new byte[128];
        private int size;

        void signed(long value) {
            count((value << 1) ^ (value >> 63));
        }

        /** Writes an unsigned number; a negative one counts as the unsigned number with the same bits. */
        void count(long count) {
            long rest = count;
            while ((rest & ~0x7fL) != 0) {
                octet((int) (rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            octet((int) rest);
        }

        void counted(byte[] bytes, int length) {
            count(length);
            bytes(bytes, length);
        }

        void bytes(byte[] bytes, int length) {
            reserve(length);
            System.arraycopy(bytes, 0, out, size, length);
            size += length;
        }

        void octet(int octet) {
            reserve(1);
            out[size++] = (byte) octet;
        }

        private void reserve(int length) {
            if (length > out.length - size) {
                out = Arrays.copyOf(out, Math.max(2 * out.length, size + length));
            }
        }
    }

    /** Numbers and bytes in their order. Its work is bounded by the number of bytes, for any input. */
    private static final class HistoryReader {
        private final byte[] in;
        private int at;

        HistoryReader(byte[] in, int at) {
            this.in = in;
            this.at = at;
        }

        long signed() {
            long zigzag = count();
            return (zigzag >>> 1) ^ -(zigzag & 1);
        }

        long count() {
            long count = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                int octet = octet();
                count |= (long) (octet & 0x7f) << shift;
                if (octet < 0x80) {
                    return count;
                }
            }
            throw ArgumentCheck.bad("history", "a long number at byte " + at, "<= 10 bytes");
        }

        /** A number of things that each take at least one byte. */
        int size() {
            long count = count();
            if (count < 0 || count > in.length - at) {
                throw ArgumentCheck.bad("history", count + " at byte " + at, "<= " + (in.length - at));
            }
            return (int) count;
        }

        byte[] bytes() {
            int length = size();
            byte[] bytes = Arrays.copyOfRange(in, at, at + length);
            at += length;
            return bytes;
        }

        private int octet() {
            if (at == in.length) {
                throw ArgumentCheck.bad("history", "the end at byte " + at, "more bytes");
            }
            return in[at++] & 0xff;
        }
    }
}
