package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Duration;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.Granted;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.server.calls.CountingAdmission;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A release that hands over to a waiting call of another request. The waiting call continues in its own context.
 * Otherwise Armeria would log an error, which fails the test, and could skip the actions at the end of that call.
 */
class HandOverTest {
    private static final int TIMES = 30;

    private static AcquireRequest ask(int waitSeconds) {
        return AcquireRequest.newBuilder()
                .setName("a")
                .setHolder("me")
                .setTerm(Duration.newBuilder().setSeconds(60))
                .setWait(Duration.newBuilder().setSeconds(waitSeconds))
                .build();
    }

    private static ReleaseRequest release(Granted granted) {
        return ReleaseRequest.newBuilder()
                .setName("a")
                .setToken(granted.getToken())
                .build();
    }

    @Test
    void aReleaseHandsOverToAWaitingCall() throws Exception {
        CountingAdmission admission = new CountingAdmission();
        try (LoopbackServer server =
                new LoopbackServer(builder -> builder.store("memory:").admission(admission))) {
            Granted held = server.blocking().acquire(ask(0)).getGranted();
            for (int i = 0; i < TIMES; i++) {
                ListenableFuture<AcquireResponse> next = server.futures().acquire(ask(60));
                admission.untilWaiting(1);

                server.blocking().release(release(held));

                held = next.get(30, TimeUnit.SECONDS).getGranted();
            }
        }
    }

    @Test
    void aReleaseOverAStreamHandsOverToAWaitingCall() throws Exception {
        CountingAdmission admission = new CountingAdmission();
        try (LoopbackServer server =
                new LoopbackServer(builder -> builder.store("memory:").admission(admission))) {
            TestCalls calls = new TestCalls(server.async());
            Granted held = server.blocking().acquire(ask(0)).getGranted();
            for (int i = 0; i < TIMES; i++) {
                ListenableFuture<AcquireResponse> next = server.futures().acquire(ask(60));
                admission.untilWaiting(1);

                calls.send(Call.newBuilder()
                        .setNumber(i + 1)
                        .setRelease(release(held))
                        .build());

                held = next.get(30, TimeUnit.SECONDS).getGranted();
            }
            calls.halfClose();
        }
    }

    @Test
    void aReleaseHandsOverToAWaitingHttpRequest() throws Exception {
        CountingAdmission admission = new CountingAdmission();
        HttpClient http = HttpClient.newHttpClient();
        try (LoopbackServer server =
                new LoopbackServer(builder -> builder.store("memory:").admission(admission))) {
            Granted held = server.blocking().acquire(ask(0)).getGranted();
            for (int i = 0; i < TIMES; i++) {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + server.port() + "/v1/leases/a/acquire"))
                        .POST(HttpRequest.BodyPublishers.ofString("{\"holder\":\"me\",\"wait\":\"60s\"}"))
                        .build();
                CompletableFuture<HttpResponse<String>> next =
                        http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
                admission.untilWaiting(1);

                server.blocking().release(release(held));

                String answer = next.get(30, TimeUnit.SECONDS).body();
                assertThat(answer).contains("\"token\"");
                held = Granted.newBuilder()
                        .setToken(answer.replaceAll("(?s).*\"token\" ?: ?\"([^\"]+)\".*", "$1"))
                        .build();
            }
        }
    }
}
