package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.holdfast.proto.v1.AnchorProof;
import dev.holdfast.proto.v1.Key;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.SessionResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client's end of a session. */
public final class TestSession implements ClientResponseObserver<SessionRequest, SessionResponse> {
    private static final SessionResponse END = SessionResponse.getDefaultInstance();

    final String holder;
    public final String token;
    private final BlockingQueue<SessionResponse> heard = new LinkedBlockingQueue<>();
    private @Nullable ClientCallStreamObserver<SessionRequest> requests;

    public TestSession(LeasesGrpc.LeasesStub leases, String holder, String token, boolean resume) {
        this.holder = holder;
        this.token = token;
        leases.session(this);
        requests()
                .onNext(SessionRequest.newBuilder()
                        .setOpen(SessionRequest.Open.newBuilder()
                                .setHolder(holder)
                                .setToken(token)
                                .setTerm(Duration.newBuilder().setSeconds(60))
                                .setResume(resume)
                                .setNumber(1))
                        .build());
    }

    public static TestSession open(LeasesGrpc.LeasesStub leases, String holder) {
        TestSession session = new TestSession(leases, holder, UUID.randomUUID().toString(), false);
        SessionResponse opened = session.next();
        assertThat(opened.getOpened().getNumber()).as(opened.toString()).isEqualTo(1);
        return session;
    }

    public void beat(long number) {
        requests()
                .onNext(SessionRequest.newBuilder()
                        .setHeartbeat(SessionRequest.Heartbeat.newBuilder().setNumber(number))
                        .build());
    }

    public void close() {
        requests()
                .onNext(SessionRequest.newBuilder()
                        .setClose(SessionRequest.Close.getDefaultInstance())
                        .build());
    }

    void halfClose() {
        requests().onCompleted();
    }

    public void breakOff() {
        requests().cancel("gone", null);
    }

    private ClientCallStreamObserver<SessionRequest> requests() {
        return Objects.requireNonNull(requests);
    }

    public AnchorProof proof() {
        return AnchorProof.newBuilder()
                .setKey(Key.newBuilder().setNamespace("~anchors").setName(holder))
                .setToken(token)
                .build();
    }

    public SessionResponse next() {
        try {
            SessionResponse response = heard.poll(60, TimeUnit.SECONDS);
            assertThat(response).as("an answer").isNotNull();
            return response;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public boolean hasEnded() {
        return heard.contains(END);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<SessionRequest> stream) {
        requests = stream;
    }

    @Override
    public void onNext(SessionResponse response) {
        heard.add(response);
    }

    @Override
    public void onError(Throwable error) {
        heard.add(END);
    }

    @Override
    public void onCompleted() {
        heard.add(END);
    }
}
