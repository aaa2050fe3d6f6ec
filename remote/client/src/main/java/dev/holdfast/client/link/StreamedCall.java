package dev.holdfast.client.link;

import com.google.protobuf.Message;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallAnswer;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One call that shares a stream with others. {@link #stream} returns that stream once the call was sent. */
final class StreamedCall {
    private final CompletableFuture<Message> result = new CompletableFuture<>();
    private final Call.Builder call;
    private final long deadlineNanos;
    private @Nullable ClientCallStream stream;

    StreamedCall(Call.Builder call, long deadlineNanos) {
        this.call = call;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Returns a request as a call on a stream; empty for a request that must be sent alone, such as one that may wait
     * at the server.
     */
    static Optional<Call.Builder> of(Object request) {
        Call.Builder call = Call.newBuilder();
        if (request instanceof AcquireRequest acquire && !acquire.hasWait()) {
            return Optional.of(call.setAcquire(acquire));
        } else if (request instanceof RenewRequest renew) {
            return Optional.of(call.setRenew(renew));
        } else if (request instanceof ReleaseRequest release) {
            return Optional.of(call.setRelease(release));
        } else if (request instanceof DoneRequest done) {
            return Optional.of(call.setDone(done));
        } else if (request instanceof UpdateRequest update) {
            return Optional.of(call.setUpdate(update));
        }
        return Optional.empty();
    }

    CompletableFuture<Message> result() {
        return result;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    @Nullable
    ClientCallStream stream() {
        return stream;
    }

    long number() {
        return call.getNumber();
    }

    boolean isAcquire() {
        return call.hasAcquire();
    }

    /** Returns the message to send on {@code newStream}. */
    Call send(long number, ClientCallStream newStream) {
        stream = newStream;
        return call.setNumber(number).build();
    }

    void fail(Status status) {
        boolean sent = stream != null && stream.maybeSent();
        result.completeExceptionally(new LinkException(status.asRuntimeException(), sent));
    }

    void answer(CallAnswer answer) {
        if (answer.hasFailed()) {
            result.completeExceptionally(
                    new LinkException(StatusProto.toStatusRuntimeException(answer.getFailed()), true));
        } else if (answer.getAnswerCase().getNumber() == call.getRequestCase().getNumber()) {
            result.complete(message(answer));
        } else {
            fail(Status.INTERNAL.withDescription("unexpected response: " + answer.getAnswerCase()));
        }
    }

    private static Message message(CallAnswer answer) {
        return switch (answer.getAnswerCase()) {
            case ACQUIRE -> answer.getAcquire();
            case RENEW -> answer.getRenew();
            case RELEASE -> answer.getRelease();
            case DONE -> answer.getDone();
            case UPDATE -> answer.getUpdate();
            case FAILED, ANSWER_NOT_SET -> throw new IllegalStateException("no response: " + answer.getAnswerCase());
        };
    }
}
