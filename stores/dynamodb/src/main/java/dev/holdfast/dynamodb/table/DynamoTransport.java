package dev.holdfast.dynamodb.table;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.DynamoUrl;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Factory of the SDK's client. The client does not retry, because the request pipeline must know of every send. It uses
 * socket timeouts rather than the SDK's, which interrupt the calling thread and keep threads for that.
 */
public final class DynamoTransport {
    /** A server that does not respond in this time is unreachable. */
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private DynamoTransport() {}

    /** @param interceptors see each request and its response; the last of them is nearest to the service */
    public static DynamoDbClient client(DynamoUrl url, ExecutionInterceptor... interceptors) {
        return client(url, http(url), interceptors);
    }

    public static DynamoDbClient client(DynamoUrl url, SdkHttpClient http, ExecutionInterceptor... interceptors) {
        DynamoDbClientBuilder builder = DynamoDbClient.builder()
                .httpClient(http)
                .overrideConfiguration(config -> config.retryStrategy(strategy -> strategy.maxAttempts(1))
                        .executionInterceptors(List.of(interceptors)));
        if (url.region() != null) {
            builder.region(Region.of(url.region()));
        }
        if (url.endpoint() != null) {
            builder.endpointOverride(url.endpoint());
        }
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw DynamoErrors.of(e, false, "DescribeTable", url);
        }
    }

    public static SdkHttpClient http(DynamoUrl url) {
        Duration connect = url.timeout().compareTo(CONNECT) < 0 ? url.timeout() : CONNECT;
        if (isPresent("software.amazon.awssdk.http.apache5.Apache5HttpClient")) {
            return Pooled.make(url, connect);
        }
        if (isPresent("software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient")) {
            return Small.make(url, connect);
        }
        throw StoreException.rejected(
                "DynamoDB: no HTTP client (expected: software.amazon.awssdk:apache5-client or url-connection-client on the"
                        + " class path)",
                null);
    }

    private static boolean isPresent(String name) {
        try {
            Class.forName(name, false, DynamoTransport.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** A class of its own, so that it is loaded only if the library is present. */
    private static final class Pooled {
        static SdkHttpClient make(DynamoUrl url, Duration connect) {
            return Apache5HttpClient.builder()
                    .maxConnections(url.inFlight())
                    .connectionTimeout(connect)
                    .connectionAcquisitionTimeout(url.timeout())
                    .socketTimeout(url.timeout())
                    .build();
        }
    }

    private static final class Small {
        static SdkHttpClient make(DynamoUrl url, Duration connect) {
            return UrlConnectionHttpClient.builder()
                    .connectionTimeout(connect)
                    .socketTimeout(url.timeout())
                    .build();
        }
    }
}
