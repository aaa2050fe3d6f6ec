package dev.holdfast.server.accord;

import com.google.protobuf.ByteString;
import dev.holdfast.Token;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.UUID;

/** The id of a handle, which is the token of a grant as 16 bytes. */
final class HandleIds {
    private static final int BYTES = 16;

    private HandleIds() {}

    static ByteString of(Token token) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(token.id().getMostSignificantBits());
        bytes.putLong(token.id().getLeastSignificantBits());
        return ByteString.copyFrom(bytes.flip());
    }

    /** @throws io.grpc.StatusRuntimeException with accord's own message, if {@code id} is not a UUID */
    static Token token(ByteString id) {
        if (id.size() != BYTES) {
            throw Status.INVALID_ARGUMENT.withDescription("invalid handle ID").asRuntimeException();
        }
        ByteBuffer bytes = id.asReadOnlyByteBuffer();
        return Token.of(new UUID(bytes.getLong(), bytes.getLong()));
    }
}
