package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.security.SessionTable.OpenedSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTableTest {
    private static final String SECRET = TokenSecret.create();

    private final AtomicLong nanos = new AtomicLong(-5);
    private final CallerTable callers;
    private final SessionTable sessions;

    SessionTableTest(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("tokens");
        Files.writeString(file, "ada " + TokenSecret.hashText(SECRET) + " admin=*\n");
        callers = CallerTable.ofFile(file, false);
        sessions = new SessionTable(callers, nanos::get);
    }

    private static ServiceRequestContext request(String authorization) {
        return ServiceRequestContext.of(
                HttpRequest.of(RequestHeaders.of(HttpMethod.GET, "/ui/api/session", "authorization", authorization)));
    }

    private OpenedSession open() {
        ServiceRequestContext ctx = request("Bearer " + SECRET);
        String hash = TokenSecret.hashText(SECRET);
        new AuthenticatedCaller(callers, all -> all.byHash(hash)).attachTo(ctx);
        return sessions.open(ctx);
    }

    private boolean isOpen(OpenedSession opened) {
        return sessions.of(request("Session " + opened.id())).isPresent();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aSessionExpires() {
        OpenedSession opened = open();
        pass(SessionTable.LIFETIME.minusNanos(1));
        assertThat(isOpen(opened)).isTrue();
        assertThat(sessions.size()).isEqualTo(1);

        pass(Duration.ofNanos(1));

        assertThat(isOpen(opened)).isFalse();
        assertThat(opened.session().caller().permissions()).isEmpty();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void aCallerWithTooManySessionsLosesTheOldest() {
        OpenedSession oldest = open();
        OpenedSession second = open();
        for (int i = 2; i < SessionTable.MOST_PER_CALLER; i++) {
            open();
        }
        assertThat(isOpen(oldest)).isTrue();

        OpenedSession newest = open();

        assertThat(isOpen(oldest)).isFalse();
        assertThat(isOpen(second)).isTrue();
        assertThat(isOpen(newest)).isTrue();
        assertThat(sessions.size()).isEqualTo(SessionTable.MOST_PER_CALLER);
    }

    @Test
    void aCodeIsValidForTwoMinutes() {
        String inTime = sessions.issueCode("ann", false);
        String late = sessions.issueCode("ann", false);
        pass(SessionTable.CODE_LIFETIME.minusNanos(1));
        assertThat(sessions.openByCode(request("none"), inTime)).isPresent();
        pass(Duration.ofNanos(1));

        assertThat(sessions.openByCode(request("none"), late)).isEmpty();
    }

    @Test
    void anUnknownIdOpensNothing() {
        open();

        assertThat(sessions.of(request("Session "))).isEmpty();
        assertThat(sessions.of(request("Session x"))).isEmpty();
        assertThat(sessions.of(request("Bearer " + SECRET))).isEmpty();
    }

    @Test
    void failuresDelayAnAddressEverLonger() {
        LoginThrottle throttle = new LoginThrottle(nanos::get);
        for (int i = 0; i < 4; i++) {
            throttle.failed("a");
        }
        assertThat(throttle.pause("a")).isZero();
        throttle.failed("a");
        assertThat(throttle.pause("a")).isEqualTo(Duration.ofSeconds(1));
        throttle.failed("a");
        assertThat(throttle.pause("a")).isEqualTo(Duration.ofSeconds(2));
        for (int i = 0; i < 100; i++) {
            throttle.failed("a");
        }
        assertThat(throttle.pause("a")).isEqualTo(Duration.ofSeconds(30));
        assertThat(throttle.pause("b")).isZero();
        pass(Duration.ofSeconds(30));
        assertThat(throttle.pause("a")).isZero();
        throttle.succeeded("a");
        throttle.failed("a");
        assertThat(throttle.pause("a")).isZero();
    }
}
