package dev.holdfast.client.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The frames of gRPC-Web: a flag, a length, and a message or, at the end, the trailers. */
final class GrpcWebFrames {
    private static final int HEADER = 5;
    private static final int TRAILERS = 0x80;
    /** Enough for a page of keys with all their attributes. */
    private static final int MAX_FRAME = 64 * 1024 * 1024;

    private GrpcWebFrames() {}

    static byte[] frame(byte[] message) {
        return ByteBuffer.allocate(HEADER + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
    }

    /** @param headers the headers of the response, which hold the status if there is no message */
    static Answer read(InputStream in, Function<String, @Nullable String> headers) throws IOException {
        Map<String, String> trailers = new HashMap<>();
        ByteBuffer message = null;
        byte[] head = in.readNBytes(HEADER);
        while (head.length == HEADER) {
            ByteBuffer header = ByteBuffer.wrap(head);
            int flag = header.get() & 0xff;
            int length = header.getInt();
            if (length < 0 || length > MAX_FRAME) {
                throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
            }
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("incomplete response");
            }
            if ((flag & TRAILERS) != 0) {
                parse(new String(body, UTF_8), trailers);
            } else if (message == null) {
                message = ByteBuffer.wrap(body);
            }
            head = in.readNBytes(HEADER);
        }
        return new Answer(message, name -> trailers.containsKey(name) ? trailers.get(name) : headers.apply(name));
    }

    private static void parse(String text, Map<String, String> trailers) {
        for (String line : text.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                trailers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
    }

    /** A complete response. */
    record Answer(@Nullable ByteBuffer message, Function<String, @Nullable String> trailers) {
        ByteBuffer messageOrThrow() throws IOException {
            String status = trailers.apply("grpc-status");
            if (status == null) {
                // Only a complete response counts: the server treats an incomplete one as not received.
                throw new EOFException("a response without a status");
            }
            if (!status.equals("0")) {
                throw error(status);
            }
            if (message == null) {
                throw new EOFException("an empty response");
            }
            return message;
        }

        private StatusRuntimeException error(String status) {
            String details = trailers.apply("grpc-status-details-bin");
            if (details != null) {
                try {
                    byte[] bytes = Base64.getDecoder().decode(details.replaceAll("=+$", ""));
                    return StatusProto.toStatusRuntimeException(com.google.rpc.Status.parseFrom(bytes));
                } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
                    // The status alone is enough.
                }
            }
            String message = trailers.apply("grpc-message");
            int code = status.matches("\\d{1,2}") ? Integer.parseInt(status) : Status.Code.UNKNOWN.value();
            return Status.fromCodeValue(code)
                    .withDescription(message == null ? null : URLDecoder.decode(message.replace("+", "%2B"), UTF_8))
                    .asRuntimeException();
        }
    }
}
