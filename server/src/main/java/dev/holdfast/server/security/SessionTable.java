package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.wire.WireErrors;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of dashboards. A browser keeps the random id of a session, and never the token of its caller. The server keeps only
 * the hash of the id. A session ends after a time, by a log-out, and when the token of its caller is removed from the token file.
 *
 * <p>A session may also be opened by a code, which the server issued itself, and which is valid once and for a short time.
 *
 * <p>Thread-safe.
 */
public final class SessionTable {
    /** A working day with some reserve. */
    public static final Duration LIFETIME = Duration.ofHours(12);

    public static final Duration CODE_LIFETIME = Duration.ofMinutes(2);

    /** A few megabytes. */
    static final int MOST = 10_000;

    /** One person has a few browsers. Opening more ends the oldest. */
    static final int MOST_PER_CALLER = 100;

    private static final int MOST_CODES = 10;

    private final CallerTable callerTable;
    private final LongSupplier nanos;
    final LoginThrottle throttle;
    /** The oldest first. */
    private final Map<String, Session> byHash = new LinkedHashMap<>();

    private final Map<String, Code> codes = new LinkedHashMap<>();
    private final List<Runnable> onEnd = new CopyOnWriteArrayList<>();

    private record Code(CallerPermissions permissions, long expiresNanos) {}

    public SessionTable(CallerTable callerTable) {
        this(callerTable, System::nanoTime);
    }

    SessionTable(CallerTable callerTable, LongSupplier nanos) {
        this.callerTable = callerTable;
        this.nanos = nanos;
        this.throttle = new LoginThrottle(nanos);
        callerTable.onChange(this::endRevoked);
    }

    /** An open session. */
    public final class Session {
        private final String callerName;
        private final AuthenticatedCaller caller;
        private final long expiresNanos;
        private volatile boolean ended;

        private Session(String callerName, AuthenticatedCaller caller) {
            this.callerName = callerName;
            this.expiresNanos = nanos.getAsLong() + LIFETIME.toNanos();
            this.caller = caller.during(this::isOpen);
        }

        private boolean isOpen() {
            return !ended && expiresNanos - nanos.getAsLong() > 0;
        }

        /** The time until the session expires. */
        public Duration left() {
            return Duration.ofNanos(Math.max(0, expiresNanos - nanos.getAsLong()));
        }

        AuthenticatedCaller caller() {
            return caller;
        }
    }

    /**
     * A session that was just opened.
     *
     * @param id the secret that the browser presents; the server does not keep it
     */
    public record OpenedSession(String id, Session session) {}

    /** Registers {@code task}, which is called after sessions have ended before their time. */
    void onEnd(Runnable task) {
        onEnd.add(task);
    }

    /** Opens a session for the authenticated caller of a request, and attaches the session to the request. */
    public OpenedSession open(ServiceRequestContext ctx) {
        AuthenticatedCaller caller = AuthenticatedCaller.of(ctx);
        if (caller == null) {
            throw AccessGuard.revoked();
        }
        return attached(ctx, open(caller, caller.permissions().orElseThrow(AccessGuard::revoked)));
    }

    /** Issues a code that opens one session for a caller that is in no token file. */
    public synchronized String issueCode(String name, boolean mayAdminister) {
        String code = secret();
        codes.values().removeIf(it -> it.expiresNanos - nanos.getAsLong() <= 0);
        if (codes.size() == MOST_CODES) {
            codes.remove(codes.keySet().iterator().next());
        }
        CallerPermissions permissions = mayAdminister
                ? CallerPermissions.all(name)
                : new CallerPermissions(name, Map.of(Access.READ, List.of(NamespaceRange.startingWith(""))));
        codes.put(TokenSecret.hashText(code), new Code(permissions, nanos.getAsLong() + CODE_LIFETIME.toNanos()));
        return code;
    }

    /** Opens a session by a code; empty if the code is unknown, was used, or is too old. */
    public Optional<OpenedSession> openByCode(ServiceRequestContext ctx, String code) {
        Code known;
        synchronized (this) {
            known = codes.remove(TokenSecret.hashText(code));
        }
        if (known == null || known.expiresNanos - nanos.getAsLong() <= 0) {
            throttle.failed(ClientName.ofAddress(ctx.clientAddress()));
            return Optional.empty();
        }
        throttle.succeeded(ClientName.ofAddress(ctx.clientAddress()));
        CallerPermissions permissions = known.permissions;
        return Optional.of(attached(
                ctx, open(new AuthenticatedCaller(callerTable, all -> Optional.of(permissions)), permissions)));
    }

    private static OpenedSession attached(ServiceRequestContext ctx, OpenedSession opened) {
        opened.session.caller.attachTo(ctx);
        return opened;
    }

    private synchronized OpenedSession open(AuthenticatedCaller caller, CallerPermissions permissions) {
        byHash.values().removeIf(it -> !it.isOpen());
        if (byHash.values().stream()
                        .filter(it -> it.callerName.equals(permissions.name()))
                        .count()
                >= MOST_PER_CALLER) {
            endOldest(permissions.name());
        }
        if (byHash.size() >= MOST) {
            throw WireErrors.exhausted(
                    "SESSIONS", MOST + " sessions of dashboards are open already", Duration.ofMinutes(1));
        }
        String id = secret();
        Session session = new Session(permissions.name(), caller);
        byHash.put(TokenSecret.hashText(id), session);
        return new OpenedSession(id, session);
    }

    private synchronized void endOldest(String callerName) {
        Iterator<Session> all = byHash.values().iterator();
        while (all.hasNext()) {
            Session oldest = all.next();
            if (oldest.callerName.equals(callerName)) {
                oldest.ended = true;
                all.remove();
                return;
            }
        }
    }

    /** The open session with this id; null if there is none. */
    synchronized @Nullable Session find(String id) {
        Session session = byHash.get(TokenSecret.hashText(id));
        return session != null && session.caller.permissions().isPresent() ? session : null;
    }

    /** The open session that a request presents; empty if it presents none. */
    public Optional<Session> of(ServiceRequestContext ctx) {
        return SessionAuthentication.sessionId(ctx.request()).map(this::find);
    }

    /** Ends the session that a request presents, and the requests that run in it. */
    public void end(ServiceRequestContext ctx) {
        String id = SessionAuthentication.sessionId(ctx.request()).orElse("");
        Session session;
        synchronized (this) {
            session = byHash.remove(TokenSecret.hashText(id));
        }
        if (session != null) {
            session.ended = true;
            onEnd.forEach(Runnable::run);
        }
    }

    /** Sessions of removed tokens stay ended, even if the token is added again. */
    private synchronized void endRevoked() {
        byHash.values().removeIf(session -> {
            session.ended |= session.caller.permissions().isEmpty();
            return session.ended;
        });
    }

    /** The number of open sessions. */
    public synchronized int size() {
        byHash.values().removeIf(it -> !it.isOpen());
        return byHash.size();
    }

    private static String secret() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
