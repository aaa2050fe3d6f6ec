package dev.holdfast.client.link;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Optional;

/** The failure of a call: it got no response, or an error. */
public final class LinkException extends RuntimeException {
    private final StatusRuntimeException error;
    private final boolean sent;

    /** @param sent whether the request may have reached the server */
    LinkException(StatusRuntimeException error, boolean sent) {
        super(error.getMessage(), error);
        this.error = error;
        this.sent = sent;
    }

    public Status status() {
        return error.getStatus();
    }

    /** Returns a short description of the failure. */
    public String description() {
        Status status = status();
        return status.getDescription() == null ? status.getCode().toString() : status.getDescription();
    }

    /** Returns whether the server rejected the credentials. Then the request was not applied. */
    public boolean isUnauthenticated() {
        return status().getCode() == Status.Code.UNAUTHENTICATED;
    }

    public boolean wasSent() {
        return sent;
    }

    /** Returns a detail of the error, if the server sent one of this type. */
    public <M extends Message> Optional<M> detail(Class<M> type) {
        com.google.rpc.Status status = StatusProto.fromThrowable(error);
        if (status == null) {
            return Optional.empty();
        }
        for (Any any : status.getDetailsList()) {
            if (any.is(type)) {
                try {
                    return Optional.of(any.unpack(type));
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
