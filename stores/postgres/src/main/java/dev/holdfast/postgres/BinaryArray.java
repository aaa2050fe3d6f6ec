package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * An array as the server stores it. The driver writes most arrays as text, which costs both sides more than all else that
 * there is to do for a row.
 */
final class BinaryArray extends PGobject implements PGBinaryObject {
    /** What can be in an array. */
    enum Element {
        TEXT("_text", Oid.TEXT),
        UUID("_uuid", Oid.UUID),
        INT8("_int8", Oid.INT8),
        BYTEA("_bytea", Oid.BYTEA),
        TIMESTAMPTZ("_timestamptz", Oid.TIMESTAMPTZ);

        private final String arrayType;
        private final int oid;

        Element(String arrayType, int oid) {
            this.arrayType = arrayType;
            this.oid = oid;
        }

        private byte[] encode(Object value) {
            return switch (this) {
                case TEXT -> ((String) value).getBytes(UTF_8);
                case UUID -> bytes((UUID) value);
                case INT8 -> bytes((Long) value);
                case BYTEA -> (byte[]) value;
                case TIMESTAMPTZ -> bytes(EPOCH.until((Instant) value, ChronoUnit.MICROS));
            };
        }
    }

    /** What PostgreSQL counts time from. */
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private final byte[] bytes;

    private BinaryArray(Element type, byte[] bytes) {
        this.bytes = bytes;
        setType(type.arrayType);
    }

    static <T> BinaryArray of(Element type, List<T> things, Function<? super T, ? extends @Nullable Object> value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(24 + 24 * things.size());
        int dimensions = 1;
        int mayHaveNulls = 1;
        int firstIndex = 1;
        out.writeBytes(ints(dimensions, mayHaveNulls, type.oid, things.size(), firstIndex));
        for (T thing : things) {
            Object element = value.apply(thing);
            byte[] encoded = element == null ? new byte[0] : type.encode(element);
            out.writeBytes(ints(element == null ? -1 : encoded.length));
            out.writeBytes(encoded);
        }
        return new BinaryArray(type, out.toByteArray());
    }

    private static byte[] ints(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    @Override
    public int lengthInBytes() {
        return bytes.length;
    }

    @Override
    public void toBytes(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    @Override
    public void setByteValue(byte[] value, int offset) {
        throw new UnsupportedOperationException("only written, never read");
    }

    /** Asked for only where binary transfer is off, which {@link Connections} turns on. */
    @Override
    public String getValue() {
        throw new UnsupportedOperationException("only binary");
    }
}
