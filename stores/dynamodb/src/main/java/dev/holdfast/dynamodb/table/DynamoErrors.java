package dev.holdfast.dynamodb.table;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.DynamoUrl;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Interpretation of errors of the SDK or the service: whether anything was applied, whether a retry may help, and the
 * remedy.
 *
 * <p>A request that the service rejected with a reason (4xx) was not applied. After a 5xx, or without a response, the
 * outcome of a write is unknown. Throttling is transient: the caller backs off with jitter.
 */
public final class DynamoErrors {
    /** A wrong clock shows as a signature that is too old or too new. The SDK uses it to correct the next request. */
    private static final Set<String> CLOCK = Set.of("RequestExpired", "RequestTimeTooSkewed", "RequestInTheFuture");

    private static final Set<String> CREDENTIALS = Set.of(
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "IncompleteSignature",
            "IncompleteSignatureException",
            "MissingAuthenticationToken",
            "MissingAuthenticationTokenException",
            "ExpiredToken",
            "ExpiredTokenException",
            "InvalidClientTokenId",
            "OptInRequired");

    private static final Set<String> TRANSIENT = Set.of(
            "TransactionConflictException",
            "TransactionInProgressException",
            "ReplicatedWriteConflictException",
            "LimitExceededException",
            "ResourceInUseException");

    private DynamoErrors() {}

    /** @param action the IAM action, such as {@code PutItem} */
    public static StoreException of(SdkException e, boolean isWrite, String action, DynamoUrl url) {
        if (e instanceof AwsServiceException serviceError) {
            return reported(serviceError, isWrite, action, url);
        }
        if (isBeforeSending(e)) {
            return StoreException.notApplied(message("cannot connect", e), e);
        }
        String text = String.valueOf(e.getMessage());
        if (text.contains("load credentials")) {
            return StoreException.rejected(
                    message(
                            "no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or run where a"
                                    + " role is attached",
                            e),
                    e);
        }
        if (text.contains("load region")) {
            return StoreException.rejected(message("no region; add region=... to the URL, or set AWS_REGION", e), e);
        }
        return isWrite
                ? StoreException.unknown(message("no response", e), e)
                : StoreException.notApplied(message("no response", e), e);
    }

    private static StoreException reported(AwsServiceException e, boolean isWrite, String action, DynamoUrl url) {
        String code = e.awsErrorDetails() == null
                ? ""
                : String.valueOf(e.awsErrorDetails().errorCode());
        if (e.isThrottlingException()) {
            return StoreException.notApplied(message("throttled", e), e);
        }
        if (CLOCK.contains(code) || (e.isClockSkewException() && isOfSignature(code))) {
            return StoreException.notApplied(message("the clock of this machine is off", e), e);
        }
        if (TRANSIENT.contains(code)) {
            return StoreException.notApplied(message("temporarily refused", e), e);
        }
        if (e.statusCode() >= 500) {
            return isWrite
                    ? StoreException.unknown(message("the service failed", e), e)
                    : StoreException.notApplied(message("the service failed", e), e);
        }
        return StoreException.rejected(message(advice(code, action, url), e), e);
    }

    private static String advice(String code, String action, DynamoUrl url) {
        if (code.equals("ResourceNotFoundException")) {
            return "there is no table " + url.table() + (url.region() == null ? "" : " in " + url.region())
                    + "; create it with: holdfast store init --store '" + url + "'";
        }
        if (code.startsWith("AccessDenied")) {
            return "access denied; the IAM action dynamodb:" + action + " on the table " + url.table()
                    + " and its indexes is needed";
        }
        if (CREDENTIALS.contains(code)) {
            return "the credentials were not accepted; check AWS_ACCESS_KEY_ID, AWS_PROFILE or the role, and whether they"
                    + " have expired";
        }
        return "refused";
    }

    private static boolean isOfSignature(String code) {
        return code.contains("Signature");
    }

    private static boolean isBeforeSending(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            // By name, because the HTTP client that defines the latter two may be absent.
            String name = cause.getClass().getSimpleName();
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || name.equals("ConnectTimeoutException")
                    || name.equals("ConnectionRequestTimeoutException")) {
                return true;
            }
        }
        return false;
    }

    private static String message(String summary, SdkException e) {
        @Nullable
        String detail = e instanceof AwsServiceException reported && reported.awsErrorDetails() != null
                ? reported.awsErrorDetails().errorCode() + ": "
                        + reported.awsErrorDetails().errorMessage()
                : e.getMessage();
        return "DynamoDB: " + summary + " (" + detail + ")";
    }
}
