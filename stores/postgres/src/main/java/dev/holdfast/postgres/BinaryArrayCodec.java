package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * Array in the server's binary format. The driver writes most arrays as text, which costs both sides more than all
 * other work for a row.
 */
final class BinaryArrayCodec extends PGobject implements PGBinaryObject {
    /** Type of the elements of an array. */
    enum Element {
        TEXT("_text", Oid.TEXT, Types.VARCHAR),
        UUID("_uuid", Oid.UUID, Types.OTHER),
        INT8("_int8", Oid.INT8, Types.BIGINT),
        BYTEA("_bytea", Oid.BYTEA, Types.BINARY),
        TIMESTAMPTZ("_timestamptz", Oid.TIMESTAMPTZ, Types.TIMESTAMP_WITH_TIMEZONE);

        private final String arrayType;
        private final int oid;
        private final int sqlType;

        Element(String arrayType, int oid, int sqlType) {
            this.arrayType = arrayType;
            this.oid = oid;
            this.sqlType = sqlType;
        }

        private void write(Object value, ByteWriter to) {
            switch (this) {
                case TEXT -> to.sized(((String) value).getBytes(UTF_8));
                case UUID -> to.sized((UUID) value);
                case INT8 -> to.sized((Long) value);
                case BYTEA -> to.sized((byte[]) value);
                case TIMESTAMPTZ -> to.sized(EPOCH.until((Instant) value, ChronoUnit.MICROS));
            }
        }

        /** The element that the next {@code size} bytes contain, as text. */
        private String text(ByteBuffer from, int size) {
            return switch (this) {
                case TEXT -> new String(bytes(from, size), UTF_8);
                case UUID -> new UUID(from.getLong(), from.getLong()).toString();
                case INT8 -> String.valueOf(from.getLong());
                case BYTEA -> "\\x" + HexFormat.of().formatHex(bytes(from, size));
                case TIMESTAMPTZ ->
                    EPOCH.plus(from.getLong(), ChronoUnit.MICROS).toString();
            };
        }

        private static byte[] bytes(ByteBuffer from, int size) {
            byte[] bytes = new byte[size];
            from.get(bytes);
            return bytes;
        }
    }

    /** The epoch of PostgreSQL. */
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    /** Dimensions, whether there may be nulls, the type of the elements, their number, and the first index. */
    private static final int HEADER_BYTES = 5 * Integer.BYTES;

    private final Element element;
    private final byte[] bytes;

    private BinaryArrayCodec(Element type, byte[] bytes) {
        this.element = type;
        this.bytes = bytes;
        setType(type.arrayType);
    }

    static <T> BinaryArrayCodec of(
            Element type, List<T> things, Function<? super T, ? extends @Nullable Object> value) {
        ByteWriter to = new ByteWriter(24 + 24 * things.size());
        int dimensions = 1;
        int mayHaveNulls = 1;
        int firstIndex = 1;
        to.ints(dimensions, mayHaveNulls, type.oid, things.size(), firstIndex);
        for (T thing : things) {
            Object element = value.apply(thing);
            if (element == null) {
                to.ints(-1);
            } else {
                type.write(element, to);
            }
        }
        return new BinaryArrayCodec(type, to.toArray());
    }

    /** Buffer that grows as needed. The size of each element precedes it. */
    private static final class ByteWriter {
        private ByteBuffer buffer;

        ByteWriter(int capacity) {
            buffer = ByteBuffer.allocate(capacity);
        }

        private ByteBuffer room(int size) {
            if (buffer.remaining() < size) {
                int capacity = Math.max(2 * buffer.capacity(), buffer.position() + size);
                buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
            }
            return buffer;
        }

        void ints(int... values) {
            for (int value : values) {
                room(4).putInt(value);
            }
        }

        void sized(byte[] bytes) {
            room(4 + bytes.length).putInt(bytes.length).put(bytes);
        }

        void sized(long value) {
            room(12).putInt(8).putLong(value);
        }

        void sized(UUID id) {
            room(20).putInt(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }

        byte[] toArray() {
            return Arrays.copyOf(buffer.array(), buffer.position());
        }
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

    /**
     * The same array as text, for connections without binary transfer: those of the store have it, see {@link
     * PostgresConnections}, and those of callers may not.
     */
    @Override
    public String getValue() {
        ByteBuffer from = ByteBuffer.wrap(bytes).position(HEADER_BYTES);
        StringJoiner elements = new StringJoiner(",", "{", "}");
        while (from.hasRemaining()) {
            int size = from.getInt();
            elements.add(size < 0 ? "NULL" : quoted(element.text(from, size)));
        }
        return elements.toString();
    }

    private static String quoted(String element) {
        return '"' + element.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Binder of consecutive parameters. An array parameter has one value for each element of a list. */
    static final class StatementParameters {
        private final PreparedStatement statement;
        private int bound;

        StatementParameters(PreparedStatement statement) {
            this.statement = statement;
        }

        <T> StatementParameters array(Element type, List<T> of, Function<? super T, ? extends @Nullable Object> value)
                throws SQLException {
            return value(BinaryArrayCodec.of(type, of, value));
        }

        StatementParameters keys(List<Key> keys) throws SQLException {
            return array(Element.TEXT, keys, Key::namespace).array(Element.TEXT, keys, Key::name);
        }

        /** Binds a value that is no array. The driver sends most of these in binary form by itself. */
        void single(Element type, @Nullable Object value) throws SQLException {
            int at = ++bound;
            if (value == null) {
                statement.setNull(at, type.sqlType);
            } else if (value instanceof Instant time) {
                // The driver would round to the next microsecond, and arrays do not.
                statement.setObject(at, time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
            } else {
                statement.setObject(at, value);
            }
        }

        StatementParameters value(Object value) throws SQLException {
            statement.setObject(++bound, value);
            return this;
        }
    }
}
