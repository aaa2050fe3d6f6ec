package dev.holdfast.server.limits;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.server.calls.StreamAdmission;
import dev.holdfast.server.limits.LimitListener.Limit;
import dev.holdfast.server.wire.WireErrors;
import java.time.Duration;
import java.util.function.Function;

/**
 * The admission of waits, watches and sessions up to configured limits. Further requests are rejected and may be
 * retried later.
 */
public final class LimitedAdmission implements StreamAdmission {
    /** Long, because existing waits may last long. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final ClientPlaces waitersOfClient;
    private final ClientPlaces waitersOfKey;
    private final ClientPlaces watches;
    private final ClientPlaces sessions;
    private final LimitListener limitListener;
    private final Function<ServiceRequestContext, String> client;

    /** @param client returns the name under which limits count the sender of a request */
    public LimitedAdmission(
            ServerLimits limits, LimitListener limitListener, Function<ServiceRequestContext, String> client) {
        this.waitersOfClient = new ClientPlaces(limits.waitersPerClient());
        this.waitersOfKey = new ClientPlaces(limits.waitersPerKey());
        this.watches = new ClientPlaces(limits.watchesPerClient());
        this.sessions = new ClientPlaces(limits.sessionsPerClient());
        this.limitListener = limitListener;
        this.client = client;
    }

    @Override
    public Runnable wait(ServiceRequestContext ctx, Key key) {
        Runnable leaveClient =
                take(waitersOfClient, client.apply(ctx), Limit.WAITERS_PER_CLIENT, "acquires of this client wait");
        try {
            Runnable leaveKey = take(waitersOfKey, key, Limit.WAITERS_PER_KEY, "acquires wait for this key");
            return () -> {
                leaveClient.run();
                leaveKey.run();
            };
        } catch (RuntimeException e) {
            leaveClient.run();
            throw e;
        }
    }

    @Override
    public Runnable watch(ServiceRequestContext ctx) {
        return take(watches, client.apply(ctx), Limit.WATCHES_PER_CLIENT, "watches of this client are open");
    }

    @Override
    public Runnable session(ServiceRequestContext ctx) {
        return take(sessions, client.apply(ctx), Limit.SESSIONS_PER_CLIENT, "sessions of this client are open");
    }

    private Runnable take(ClientPlaces places, Object owner, Limit limit, String description) {
        Runnable leave = places.take(owner);
        if (leave == null) {
            limitListener.on(limit);
            throw WireErrors.exhausted(limit.name(), places.most() + " " + description + " already", PAUSE);
        }
        return leave;
    }

    /** The number of acquires waiting at this server. */
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
