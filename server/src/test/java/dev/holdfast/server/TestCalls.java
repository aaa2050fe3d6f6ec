package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallAnswer;
import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.CallsResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The client's end of a stream of calls. */
public final class TestCalls implements ClientResponseObserver<CallsRequest, CallsResponse> {
    private final BlockingQueue<CallAnswer> answers = new LinkedBlockingQueue<>();
    private final AtomicInteger messages = new AtomicInteger();
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final CompletableFuture<Void> goAway = new CompletableFuture<>();
    private @Nullable ClientCallStreamObserver<CallsRequest> requests;

    public TestCalls(LeasesGrpc.LeasesStub leases) {
        leases.calls(this);
    }

    public static Call acquire(long number, String namespace, String name) {
        return Call.newBuilder()
                .setNumber(number)
                .setAcquire(AcquireRequest.newBuilder()
                        .setNamespace(namespace)
                        .setName(name)
                        .setHolder("ann")
                        .setTerm(Duration.newBuilder().setSeconds(3600)))
                .build();
    }

    /** Sends all calls as one message. */
    public void send(Call... calls) {
        requests().onNext(CallsRequest.newBuilder().addAllCalls(List.of(calls)).build());
    }

    void cancel(long number) {
        send(Call.newBuilder()
                .setNumber(number)
                .setCancel(Call.Cancel.getDefaultInstance())
                .build());
    }

    void halfClose() {
        requests().onCompleted();
    }

    void breakOff() {
        requests().cancel("gone", null);
    }

    private ClientCallStreamObserver<CallsRequest> requests() {
        return Objects.requireNonNull(requests);
    }

    public CallAnswer next() throws InterruptedException {
        CallAnswer answer = answers.poll(60, TimeUnit.SECONDS);
        assertThat(answer).as("an answer").isNotNull();
        return answer;
    }

    /** The messages so far that brought the answers. */
    int messages() {
        return messages.get();
    }

    /** The status with which the stream ended. */
    public Status end() {
        return end.orTimeout(60, TimeUnit.SECONDS).join();
    }

    void untilSentAway() {
        goAway.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<CallsRequest> stream) {
        requests = stream;
    }

    @Override
    public void onNext(CallsResponse response) {
        messages.incrementAndGet();
        answers.addAll(response.getAnswersList());
        if (response.getGoAway()) {
            goAway.complete(null);
        }
    }

    @Override
    public void onError(Throwable error) {
        end.complete(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
        end.complete(Status.OK);
    }
}
