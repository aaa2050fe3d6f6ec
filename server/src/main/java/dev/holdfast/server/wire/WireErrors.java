package dev.holdfast.server.wire;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.util.Exceptions;
import dev.holdfast.HoldfastException;
import dev.holdfast.LeaseLostException;
import dev.holdfast.OverloadedException;
import dev.holdfast.StoreException;
import dev.holdfast.UnsupportedFeatureException;
import dev.holdfast.proto.v1.LeaseLost;
import dev.holdfast.proto.v1.StoreTrouble;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The mapping from errors to google.rpc.Status with details. */
public final class WireErrors {
    /** The domain of an {@link ErrorInfo} with one of our reasons. */
    public static final String DOMAIN = "holdfast.dev";

    /** The delay before a retry at an overloaded server: the duration of a batch or two. */
    private static final Duration OVERLOAD_PAUSE = Duration.ofMillis(250);

    private WireErrors() {}

    public static StatusRuntimeException of(@Nullable Throwable error) {
        Throwable cause = cause(error);
        return cause instanceof StatusRuntimeException known
                ? known
                : StatusProto.toStatusRuntimeException(status(cause));
    }

    /** The cause of the error of a future without a value. Such a future always has an error. */
    public static Throwable cause(@Nullable Throwable error) {
        return Futures.cause(error == null ? new IllegalStateException("no response") : error);
    }

    /** The code of an error, for logs and metrics; logs nothing itself. */
    public static io.grpc.Status.Code codeOf(@Nullable Throwable error) {
        Throwable cause = cause(error);
        if (cause instanceof StatusRuntimeException known) {
            return known.getStatus().getCode();
        } else if (cause instanceof IllegalArgumentException) {
            return io.grpc.Status.Code.INVALID_ARGUMENT;
        } else if (cause instanceof LeaseLostException) {
            return io.grpc.Status.Code.ABORTED;
        } else if (cause instanceof StoreException trouble) {
            return trouble.effect() == StoreException.Effect.UNKNOWN
                    ? io.grpc.Status.Code.UNKNOWN
                    : io.grpc.Status.Code.UNAVAILABLE;
        }
        return isOrdinaryEnd(cause) ? io.grpc.Status.Code.CANCELLED : io.grpc.Status.Code.INTERNAL;
    }

    public static Status status(@Nullable Throwable error) {
        Throwable cause = cause(error);
        if (cause instanceof StatusRuntimeException known) {
            return StatusProto.fromThrowable(known);
        } else if (cause instanceof IllegalArgumentException) {
            return badRequest(String.valueOf(cause.getMessage()));
        } else if (cause instanceof LeaseLostException lost) {
            return lost(lost);
        } else if (cause instanceof OverloadedException overloaded) {
            return refusal(
                    io.grpc.Status.Code.RESOURCE_EXHAUSTED,
                    "OVERLOADED",
                    String.valueOf(overloaded.getMessage()),
                    OVERLOAD_PAUSE);
        } else if (cause instanceof StoreException trouble) {
            return trouble(trouble);
        } else if (isOrdinaryEnd(cause)) {
            return status(Code.CANCELLED, "the client cancelled the request or disconnected", info("CANCELLED"));
        } else if (cause instanceof ClientClosedException) {
            return status(Code.UNAVAILABLE, "the server is shutting down", info("CLOSED"));
        } else if (cause instanceof UnsupportedFeatureException unsupported) {
            return status(Code.UNIMPLEMENTED, String.valueOf(unsupported.getMessage()), info("UNSUPPORTED"));
        }
        return bug(cause);
    }

    /**
     * Whether a request ended because its client cancelled it or disconnected. Then there is nothing to log, and no
     * client to respond to.
     */
    public static boolean isOrdinaryEnd(Throwable error) {
        Throwable cause = Futures.cause(error);
        return cause instanceof CancellationException
                || cause instanceof com.linecorp.armeria.common.CancellationException
                || cause instanceof ClosedStreamException
                || cause instanceof AbortedStreamException
                || cause instanceof CancelledSubscriptionException
                || Exceptions.isExpected(cause);
    }

    /** An unexpected error may follow a write, so the response must not say that nothing was applied. */
    private static Status bug(Throwable cause) {
        StoreTrouble detail = StoreTrouble.newBuilder()
                .setEffect(StoreTrouble.Effect.EFFECT_MAY_BE_APPLIED)
                .setRetryable(true)
                .build();
        String message = "internal error; the server's log has the details as error " + HiddenErrorLog.bug(cause);
        return status(Code.INTERNAL, message, info("BUG"), detail);
    }

    /** @param message such as {@code term: PT-1S (expected: > 0)}; the part before the colon is the field */
    public static Status badRequest(String message) {
        int colon = message.indexOf(':');
        BadRequest detail = BadRequest.newBuilder()
                .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                        .setField(colon < 0 ? "" : message.substring(0, colon))
                        .setDescription(message))
                .build();
        return status(Code.INVALID_ARGUMENT, message, info("BAD_REQUEST"), detail);
    }

    /** Nothing was done; the client may retry, here or elsewhere. */
    public static StatusRuntimeException unavailable(String reason, String message) {
        return StatusProto.toStatusRuntimeException(refusal(io.grpc.Status.Code.UNAVAILABLE, reason, message, null));
    }

    /** A limit is exceeded; the client may retry after {@code pause}. */
    public static StatusRuntimeException exhausted(String reason, String message, Duration pause) {
        return StatusProto.toStatusRuntimeException(
                refusal(io.grpc.Status.Code.RESOURCE_EXHAUSTED, reason, message, pause));
    }

    /**
     * A request that was rejected before anything was done for it.
     *
     * @param pause the delay after which the client may retry; null if retrying does not help
     */
    static Status refusal(io.grpc.Status.Code code, String reason, String message, @Nullable Duration pause) {
        Status.Builder refusal = status(Code.forNumber(code.value()), message, info(reason)).toBuilder();
        if (pause != null) {
            refusal.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(TimeMessages.wire(pause))
                    .build()));
        }
        return refusal.build();
    }

    private static Status lost(LeaseLostException lost) {
        LeaseLost.Builder detail = LeaseLost.newBuilder().setReason(StatusMessages.wire(lost.reason()));
        lost.key().ifPresent(key -> detail.setKey(StatusMessages.wire(key)));
        return status(Code.ABORTED, String.valueOf(lost.getMessage()), info("LEASE_LOST"), detail.build());
    }

    private static Status trouble(StoreException trouble) {
        boolean unknown = trouble.effect() == StoreException.Effect.UNKNOWN;
        StoreTrouble.Builder detail = StoreTrouble.newBuilder()
                .setEffect(unknown ? StoreTrouble.Effect.EFFECT_MAY_BE_APPLIED : StoreTrouble.Effect.EFFECT_NOT_APPLIED)
                .setRetryable(trouble.isRetryable());
        ((HoldfastException) trouble).key().ifPresent(key -> detail.setKey(StatusMessages.wire(key)));
        // Clients retry UNAVAILABLE automatically, so this code must not be used if the request may have been applied.
        Code code = unknown ? Code.UNKNOWN : trouble.isRetryable() ? Code.UNAVAILABLE : Code.INTERNAL;
        String effect = unknown
                ? "the store failed, and the request may have been applied"
                : trouble.isRetryable()
                        ? "the store failed, and nothing was applied"
                        : "the store rejected the request, and nothing was applied";
        String message = effect + "; the server's log has the details as error " + HiddenErrorLog.trouble(trouble);
        return status(code, message, info("STORE_TROUBLE"), detail.build());
    }

    private static ErrorInfo info(String reason) {
        return ErrorInfo.newBuilder().setReason(reason).setDomain(DOMAIN).build();
    }

    private static Status status(Code code, String message, Message... details) {
        Status.Builder status = Status.newBuilder().setCode(code.getNumber()).setMessage(message);
        for (Message detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return status.build();
    }
}
