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

/** The way to the service and back, on which requests and answers meet with trouble; and the clock of the service. */
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

    /** @param serviceTime what the service says in its answers; null for what it really says */
    Way(SdkHttpClient real, @Nullable Supplier<Instant> serviceTime) {
        this.real = real;
        this.serviceTime = serviceTime;
    }

    /** What becomes of the next requests, one after another. */
    synchronized void next(Trouble... troubles) {
        script.addAll(List.of(troubles));
    }

    /** What becomes of requests that no script is for. */
    synchronized void usually(Supplier<Trouble> trouble) {
        usual = trouble;
    }

    /** From now on only requests with this text in them meet with trouble. */
    synchronized void only(String text) {
        hits = request -> request.contains(text);
    }

    /** Lets what is late arrive; the answers go nowhere. */
    void deliverLate() throws IOException {
        List<ExecutableHttpRequest> arrived;
        synchronized (this) {
            arrived = List.copyOf(late);
            late.clear();
        }
        for (ExecutableHttpRequest request : arrived) {
            HttpExecuteResponse answer = request.call();
            if (answer.responseBody().isPresent()) {
                answer.responseBody().get().close();
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
            case NONE -> dated(prepared.call());
            case THROTTLED -> answer(400, "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException");
            case FAILED_BEFORE -> answer(500, "com.amazonaws.dynamodb.v20120810#InternalServerError");
            case FAILED_AFTER -> {
                drain(prepared.call());
                yield answer(500, "com.amazonaws.dynamodb.v20120810#InternalServerError");
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

    private static void drain(HttpExecuteResponse answer) throws IOException {
        if (answer.responseBody().isPresent()) {
            answer.responseBody().get().readAllBytes();
            answer.responseBody().get().close();
        }
    }

    private HttpExecuteResponse dated(HttpExecuteResponse answer) {
        if (serviceTime == null) {
            return answer;
        }
        SdkHttpResponse response = answer.httpResponse().toBuilder()
                .putHeader("Date", date(serviceTime.get()))
                .build();
        HttpExecuteResponse.Builder builder = HttpExecuteResponse.builder().response(response);
        answer.responseBody().ifPresent(builder::responseBody);
        return builder.build();
    }

    private HttpExecuteResponse answer(int status, String type) {
        byte[] body = ("{\"__type\":\"" + type + "\",\"message\":\"made up by a test\"}").getBytes(UTF_8);
        SdkHttpResponse response = SdkHttpResponse.builder()
                .statusCode(status)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", String.valueOf(body.length))
                .build();
        return dated(HttpExecuteResponse.builder()
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
