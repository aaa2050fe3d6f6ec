package dev.holdfast.client.link;

import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.proto.v1.LeaseLost;
import dev.holdfast.proto.v1.StoreTrouble;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Duration;
import java.util.Optional;

/**
 * The interpretation of a failed call.
 *
 * @param error the exception for the caller, unless the call is retried
 * @param mayBeApplied whether the request may have had its effect, or may have it later
 * @param retryable whether a retry may succeed
 * @param pause how long the server asked the client to wait before a retry
 */
record CallFailure(RuntimeException error, boolean mayBeApplied, boolean retryable, Duration pause) {
    /** The domain of errors that the server itself reports. For these, the effect of the request is known. */
    private static final String DOMAIN = "holdfast.dev";

    static CallFailure of(LinkException failure) {
        return switch (failure.status().getCode()) {
            case INVALID_ARGUMENT -> refused(new IllegalArgumentException(failure.description(), failure));
            case UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED, OUT_OF_RANGE, FAILED_PRECONDITION, NOT_FOUND ->
                refused(StoreException.rejected("rejected by the server: " + failure.description(), failure));
            case RESOURCE_EXHAUSTED -> temporary(failure, false);
            case INTERNAL, UNKNOWN -> ofStore(failure);
            case UNAVAILABLE -> temporary(failure, !isReportedByServer(failure) && failure.wasSent());
            default -> temporary(failure, failure.wasSent());
        };
    }

    private static CallFailure refused(RuntimeException error) {
        return new CallFailure(error, false, false, Duration.ZERO);
    }

    private static CallFailure ofStore(LinkException failure) {
        Optional<StoreTrouble> detail = failure.detail(StoreTrouble.class);
        boolean mayBeApplied = detail.map(it -> it.getEffect() != StoreTrouble.Effect.EFFECT_NOT_APPLIED)
                .orElseGet(failure::wasSent);
        if (detail.isPresent() && !detail.get().getRetryable()) {
            StoreException error = mayBeApplied
                    ? StoreException.unknown(failure.description(), failure)
                    : StoreException.rejected(failure.description(), failure);
            return new CallFailure(error, mayBeApplied, false, Duration.ZERO);
        }
        return temporary(failure, mayBeApplied);
    }

    private static CallFailure temporary(LinkException failure, boolean mayBeApplied) {
        String message = failure.description();
        StoreException error =
                mayBeApplied ? StoreException.unknown(message, failure) : StoreException.notApplied(message, failure);
        Duration pause = failure.detail(RetryInfo.class)
                .map(retry -> TimeMessages.duration("retry_delay", retry.getRetryDelay()))
                .orElse(Duration.ZERO);
        return new CallFailure(error, mayBeApplied, true, pause);
    }

    private static boolean isReportedByServer(LinkException failure) {
        return failure.detail(ErrorInfo.class)
                .map(info -> info.getDomain().equals(DOMAIN))
                .orElse(false);
    }

    /** Returns why the token does not hold the key, if this is the error that the server reported. */
    static Optional<LostReason> lost(LinkException failure) {
        return failure.detail(LeaseLost.class).map(lost -> OutcomeMessages.reason(lost.getReason()));
    }
}
