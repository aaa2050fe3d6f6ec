package dev.holdfast.server.calls;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.service.Answer;
import dev.holdfast.support.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The addresses and client programs of the calls that were granted leases through this server, for explanations. */
public final class HolderOrigins {
    /** A few megabytes at most. Explanations are about keys that are in demand now. */
    private static final int MOST = 10_000;

    /** Longer texts of clients are cut: they are for people. */
    private static final int CLIENT_CHARS = 100;

    private final RecentMap<Key, Origin> origins = new RecentMap<>(MOST);

    private record Origin(
            Fence fence, String address, @Nullable String client) {}

    /** Notes the origin of a call that is granted a key. */
    void note(ServiceRequestContext ctx, CompletableFuture<Answer> outcome) {
        Futures.whenDone(outcome, (answer, error) -> {
            if (answer instanceof Answer.Applied granted && granted.entry() != null) {
                origins.put(
                        granted.entry().key(),
                        new Origin(
                                granted.entry().fence(),
                                ctx.clientAddress().getHostAddress(),
                                ctx.request().headers().get(HttpHeaderNames.USER_AGENT)));
            }
        });
    }

    /** The explanation, with the origin of the current grant if it is known. */
    LeaseExplanation addTo(LeaseExplanation explanation) {
        Origin origin = origins.get(explanation.key());
        boolean isCurrent = origin != null
                && explanation
                        .status()
                        .filter(status -> status.fence().equals(origin.fence))
                        .isPresent();
        return origin == null || !isCurrent
                ? explanation
                : explanation.withProcess(explanation
                        .process()
                        .calledFrom(
                                Optional.of(origin.address),
                                Optional.ofNullable(origin.client).map(HolderOrigins::program)));
    }

    /** The first product of a user agent, which is the program itself. */
    private static String program(String userAgent) {
        int space = userAgent.indexOf(' ');
        int end = space > 0 ? space : userAgent.length();
        return userAgent.substring(0, Math.min(end, CLIENT_CHARS));
    }
}
