package dev.holdfast.client;

import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.holdfast.StoreException;
import dev.holdfast.client.link.LinkException;
import dev.holdfast.proto.v1.LeaseLost;
import dev.holdfast.proto.v1.StoreTrouble;
import dev.holdfast.wire.TimeMessages;
import java.time.Duration;
import java.util.Optional;

/**
 * What is to be made of a call that failed.
 *
 * @param error what the caller is told if it is not tried again
 * @param mayBeApplied whether it may have had its effect, or may yet
 * @param retryable whether asking again may help
 * @param pause what the server asked for before that
 */
record CallFailure(RuntimeException error, boolean mayBeApplied, boolean retryable, Duration pause) {
    /** The domain of errors that the server itself tells: then it is known what became of the request. */
    private static final String DOMAIN = "holdfast.dev";

    static CallFailure of(LinkException failure) {
        return switch (failure.status().getCode()) {
            case INVALID_ARGUMENT -> refused(new IllegalArgumentException(failure.description(), failure));
            case UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED, OUT_OF_RANGE, FAILED_PRECONDITION, NOT_FOUND ->
                refused(StoreException.rejected("the server refused: " + failure.description(), failure));
            case RESOURCE_EXHAUSTED -> passing(failure, false);
            case INTERNAL, UNKNOWN -> ofStore(failure);
            case UNAVAILABLE -> passing(failure, !isTold(failure) && failure.wasSent());
            default -> passing(failure, failure.wasSent());
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
        return passing(failure, mayBeApplied);
    }

    private static CallFailure passing(LinkException failure, boolean mayBeApplied) {
        String message = failure.description();
        StoreException error =
                mayBeApplied ? StoreException.unknown(message, failure) : StoreException.notApplied(message, failure);
        Duration pause = failure.detail(RetryInfo.class)
                .map(retry -> TimeMessages.duration("retry_delay", retry.getRetryDelay()))
                .orElse(Duration.ZERO);
        return new CallFailure(error, mayBeApplied, true, pause);
    }

    private static boolean isTold(LinkException failure) {
        return failure.detail(ErrorInfo.class)
                .map(info -> info.getDomain().equals(DOMAIN))
                .orElse(false);
    }

    /** Why the token that was shown does not hold the key, if that is what the server said. */
    static Optional<LeaseLost> lost(LinkException failure) {
        return failure.detail(LeaseLost.class);
    }
}
