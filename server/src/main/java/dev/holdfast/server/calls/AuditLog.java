package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.wire.SafeLogText;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of administrative actions: one line for each action by which a caller changes or reveals the leases of
 * others. A line has action, key, caller, address, reason and result. The logger has a name of its own, so that these
 * lines can be kept apart.
 *
 * <p>Thread-safe.
 */
public final class AuditLog {
    private static final Logger log = LoggerFactory.getLogger("dev.holdfast.audit");

    /** Far more tokens than administrators use at a time. */
    private static final int MOST_SHOWN = 1_000;

    private final AccessGuard accessGuard;
    /** The leases that had their tokens shown to administrators. An update with such a token is logged as forced. */
    private final RecentMap<Shown, Boolean> shown = new RecentMap<>(MOST_SHOWN);

    public AuditLog(AccessGuard accessGuard) {
        this.accessGuard = accessGuard;
    }

    private record Shown(String caller, Key key, Token token) {}

    /** Writes the line when {@code act} has ended. */
    <T> CompletionStage<T> after(
            ServiceRequestContext ctx,
            String action,
            Key key,
            String reason,
            CompletionStage<T> act,
            Function<T, String> result) {
        return after(ctx, action, key.toString(), reason, act, result);
    }

    /** The same, for an action on something that is not a single key. */
    <T> CompletionStage<T> after(
            ServiceRequestContext ctx,
            String action,
            String target,
            String reason,
            CompletionStage<T> act,
            Function<T, String> result) {
        String caller = caller(ctx);
        Futures.whenDone(
                act,
                (value, error) -> write(
                        ctx,
                        caller,
                        action,
                        target,
                        reason,
                        value != null
                                ? result.apply(value)
                                : "failed: " + WireErrors.codeOf(error).name()));
        return act;
    }

    /** Records that an administrator was shown the tokens of all keys in namespaces beginning with {@code prefix}. */
    public void tokensShown(ServiceRequestContext ctx, String action, String prefix) {
        write(ctx, caller(ctx), action, prefix + "*", "", "shown");
    }

    void tokenShown(ServiceRequestContext ctx, Key key, Token token) {
        String caller = caller(ctx);
        shown.put(new Shown(caller, key, token), true);
        write(ctx, caller, "show-token", key.toString(), "", "shown");
    }

    /** Whether the caller uses a token that it was shown as an administrator. */
    boolean isForced(ServiceRequestContext ctx, Key key, Token token) {
        return !shown.isEmpty() && shown.get(new Shown(caller(ctx), key, token)) != null;
    }

    private String caller(ServiceRequestContext ctx) {
        return accessGuard.caller(ctx).orElse("-");
    }

    private static void write(
            ServiceRequestContext ctx, String caller, String action, String key, String reason, String result) {
        log.info(
                "{} key=\"{}\" by=\"{}\" from={} reason=\"{}\" result=\"{}\"",
                action,
                SafeLogText.of(key),
                SafeLogText.of(caller),
                ctx.clientAddress().getHostAddress(),
                SafeLogText.of(reason),
                result);
    }
}
