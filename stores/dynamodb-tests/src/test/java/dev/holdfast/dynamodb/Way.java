package dev.holdfast.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Connection to the service and back that injects faults, and sets the clock of the service. */
final class Way implements SdkHttpClient {
    private final SdkHttpClient real;
    private final @Nullable Supplier<Instant> serviceTime;
    private final Deque<Trouble> script = new ArrayDeque<>();
    private final List<ExecutableHttpRequest> late = new ArrayList<>();
    private Supplier<Trouble> usual = () -> Trouble.NONE;
    private Predicate<String> hits = request -> true;

    Way(SdkHttpClient real) {
        this(real, null);
    }

    /** @param serviceTime the time in the service's responses; null for the real one */
    Way(SdkHttpClient real, @Nullable Supplier<Instant> serviceTime) {
        this.real = real;
        this.serviceTime = serviceTime;
    }

    /** Sets the faults of the next requests, one after another. */
    synchronized void next(Trouble... troubles) {
        script.addAll(List.of(troubles));
    }

    /** Sets the fault of requests without a script. */
    synchronized void usually(Supplier<Trouble> trouble) {
        usual = trouble;
    }

    /** From now on, only requests that contain this text meet faults. */
    synchronized void only(String text) {
        hits = request -> request.contains(text);
    }

    /** Delivers the late requests, and drops their responses. */
    void deliverLate() throws IOException {
        List<ExecutableHttpRequest> arrived;
        synchronized (this) {
            arrived = List.copyOf(late);
            late.clear();
        }
        for (ExecutableHttpRequest request : arrived) {
            HttpExecuteResponse response = request.call();
            if (response.responseBody().isPresent()) {
                response.responseBody().get().close();
            }
        }
    }

    private synchronized Trouble trouble(String request) {
        if (!hits.test(request)) {
            return Trouble.NONE;
        }
        Trouble scripted = script.poll();
        return scripted == null ? usual.get() : scripted;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest prepared = real.prepareRequest(request);
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                return send(request, prepared);
            }

            @Override
            public void abort() {
                prepared.abort();
            }
        };
    }

    private HttpExecuteResponse send(HttpExecuteRequest request, ExecutableHttpRequest prepared) throws IOException {
        return switch (trouble(text(request))) {
            case NONE -> withDate(prepared.call());
            case THROTTLED -> response(400, "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException");
            case FAILED_BEFORE -> response(500, "com.amazonaws.dynamodb.v20120810#InternalServerError");
            case FAILED_AFTER -> {
                drain(prepared.call());
                yield response(500, "com.amazonaws.dynamodb.v20120810#InternalServerError");
            }
            case LOST -> throw new SocketTimeoutException("lost on the way");
            case ANSWER_LOST -> {
                drain(prepared.call());
                throw new SocketTimeoutException("lost on the way back");
            }
            case LATE -> {
                synchronized (this) {
                    late.add(prepared);
                }
                throw new SocketTimeoutException("late");
            }
        };
    }

    private static String text(HttpExecuteRequest request) throws IOException {
        if (request.contentStreamProvider().isEmpty()) {
            return "";
        }
        try (var content = request.contentStreamProvider().get().newStream()) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }

    private static void drain(HttpExecuteResponse response) throws IOException {
        if (response.responseBody().isPresent()) {
            response.responseBody().get().readAllBytes();
            response.responseBody().get().close();
        }
    }

    private HttpExecuteResponse withDate(HttpExecuteResponse response) {
        if (serviceTime == null) {
            return response;
        }
        SdkHttpResponse dated = response.httpResponse().toBuilder()
                .putHeader("Date", date(serviceTime.get()))
                .build();
        HttpExecuteResponse.Builder builder = HttpExecuteResponse.builder().response(dated);
        response.responseBody().ifPresent(builder::responseBody);
        return builder.build();
    }

    private HttpExecuteResponse response(int status, String type) {
        byte[] body = ("{\"__type\":\"" + type + "\",\"message\":\"made up by a test\"}").getBytes(UTF_8);
        SdkHttpResponse response = SdkHttpResponse.builder()
                .statusCode(status)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", String.valueOf(body.length))
                .build();
        return withDate(HttpExecuteResponse.builder()
                .response(response)
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
                .build());
    }

    private static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atZone(ZoneOffset.UTC));
    }

    @Override
    public void close() {
        real.close();
    }
}
