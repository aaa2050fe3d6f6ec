package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LimitsTest {
    private final List<LimitListener.Limit> refused = new ArrayList<>();
    private final ServiceRequestContext request = ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/"));
    private String client = "ann";
    private final LimitedAdmission admission = new LimitedAdmission(
            ServerLimits.builder().waiters(3, 2).watches(1).sessions(1).build(), refused::add, ctx -> client);

    private void isRefused(LimitListener.Limit limit, String message, ThrowingCallable call)
            throws InvalidProtocolBufferException {
        StatusRuntimeException error = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(error.getStatus().getDescription()).isEqualTo(message);
        assertThat(StatusProto.fromThrowable(error)
                        .getDetails(1)
                        .unpack(RetryInfo.class)
                        .getRetryDelay()
                        .getSeconds())
                .isPositive();
        assertThat(refused).contains(limit);
    }

    @Test
    void oneClientMayNotHaveMoreThanItsShareOfWaiters() throws InvalidProtocolBufferException {
        admission.wait(request, Key.of("a"));
        admission.wait(request, Key.of("b"));
        Runnable third = admission.wait(request, Key.of("c"));
        isRefused(
                LimitListener.Limit.WAITERS_PER_CLIENT,
                "3 acquires of this client wait already",
                () -> admission.wait(request, Key.of("d")));

        client = "bob";
        admission.wait(request, Key.of("d"));
        client = "ann";
        third.run();
        third.run();
        admission.wait(request, Key.of("e"));
        assertThat(admission.waiting()).isEqualTo(4);
    }

    @Test
    void oneKeyMayNotHaveMoreThanItsShareOfWaiters() throws InvalidProtocolBufferException {
        admission.wait(request, Key.of("a"));
        client = "bob";
        Runnable second = admission.wait(request, Key.of("a"));
        client = "carl";
        isRefused(
                LimitListener.Limit.WAITERS_PER_KEY,
                "2 acquires wait for this key already",
                () -> admission.wait(request, Key.of("a")));
        assertThat(admission.waiting()).isEqualTo(2);

        second.run();
        admission.wait(request, Key.of("a"));
    }

    @Test
    void watchesAndSessionsHaveLimitsOfTheirOwn() throws InvalidProtocolBufferException {
        Runnable watch = admission.watch(request);
        Runnable session = admission.session(request);
        isRefused(
                LimitListener.Limit.WATCHES_PER_CLIENT,
                "1 watches of this client are open already",
                () -> admission.watch(request));
        isRefused(
                LimitListener.Limit.SESSIONS_PER_CLIENT,
                "1 sessions of this client are open already",
                () -> admission.session(request));
        watch.run();
        session.run();
        assertThat(admission.watching()).isZero();
        assertThat(admission.sessions()).isZero();
    }

    @Test
    void anInvalidLimitIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerLimits.builder().connections(0).build())
                .withMessage("connections: 0 (expected: >= 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerLimits.builder().patience(Duration.ZERO).build())
                .withMessageStartingWith("patience: PT0S");
    }
}
