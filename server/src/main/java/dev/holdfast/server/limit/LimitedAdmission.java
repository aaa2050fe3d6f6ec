package dev.holdfast.server.limit;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.model.Key;
import dev.holdfast.server.Admission;
import dev.holdfast.server.limit.Refused.Limit;
import dev.holdfast.server.wire.Errors;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.function.Function;

/** Lets in as many as the limits say; the next one is told to come back later. */
public final class LimitedAdmission implements Admission {
    /** Whoever waits may wait for long: there is no hurry to come back. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Places waitersOfClient;
    private final Places waitersOfKey;
    private final Places watches;
    private final Places sessions;
    private final Refused refused;
    private final Function<ServiceRequestContext, String> client;

    /** @param client who sent a request, as far as limits are concerned */
    public LimitedAdmission(ServerLimits limits, Refused refused, Function<ServiceRequestContext, String> client) {
        this.waitersOfClient = new Places(limits.waitersPerClient());
        this.waitersOfKey = new Places(limits.waitersPerKey());
        this.watches = new Places(limits.watchesPerClient());
        this.sessions = new Places(limits.sessionsPerClient());
        this.refused = refused;
        this.client = client;
    }

    @Override
    public Place wait(ServiceRequestContext ctx, Key key) {
        Place first =
                take(waitersOfClient, client.apply(ctx), Limit.WAITERS_PER_CLIENT, "acquires of this client wait");
        try {
            Place second = take(waitersOfKey, key, Limit.WAITERS_PER_KEY, "acquires wait for this key");
            return () -> {
                first.leave();
                second.leave();
            };
        } catch (RuntimeException e) {
            first.leave();
            throw e;
        }
    }

    @Override
    public Place watch(ServiceRequestContext ctx, String prefix) {
        return take(watches, client.apply(ctx), Limit.WATCHES_PER_CLIENT, "watches of this client are open");
    }

    @Override
    public Place session(ServiceRequestContext ctx, Key anchor) {
        return take(sessions, client.apply(ctx), Limit.SESSIONS_PER_CLIENT, "sessions of this client are open");
    }

    private Place take(Places places, Object whose, Limit limit, String what) {
        if (!places.take(whose)) {
            refused.on(limit);
            throw StatusProto.toStatusRuntimeException(
                    Errors.exhausted(limit.name(), places.most() + " " + what + " already", PAUSE));
        }
        Runnable leaving = places.leaving(whose);
        return leaving::run;
    }

    /** How many wait at this server. */
    public int waiting() {
        return waitersOfClient.total();
    }

    public int watching() {
        return watches.total();
    }

    public int sessions() {
        return sessions.total();
    }
}
