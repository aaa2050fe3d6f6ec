package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.wire.SafeLogText;
import dev.holdfast.server.wire.WireErrors;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each action by which a caller changes or uncovers the leases of others: action, key, caller, address, reason
 * and result. The logger has a name of its own, so that these lines can be kept apart.
 *
 * <p>Thread-safe.
 */
public final class AuditLog {
    private static final Logger log = LoggerFactory.getLogger("dev.holdfast.audit");

    /** Far more tokens than administrators have under way. */
    private static final int MOST_SHOWN = 1_000;

    private final AccessGuard accessGuard;
    /** Leases whose tokens were shown to administrators, so that an update by one of these is seen to be forced. */
    private final Set<Shown> shown = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Shown, Boolean> eldest) {
            return size() > MOST_SHOWN;
        }
    });

    public AuditLog(AccessGuard accessGuard) {
        this.accessGuard = accessGuard;
    }

    private record Shown(String who, Key key, Token token) {}

    /** Writes the line when {@code act} is over. */
    <T> CompletionStage<T> after(
            ServiceRequestContext ctx,
            String what,
            Key key,
            String why,
            CompletionStage<T> act,
            Function<T, String> result) {
        String who = who(ctx);
        Futures.whenDone(
                act,
                (value, error) -> write(
                        ctx,
                        who,
                        what,
                        key.toString(),
                        why,
                        value != null
                                ? result.apply(value)
                                : "failed: "
                                        + WireErrors.codeOf(WireErrors.present(error))
                                                .name()));
        return act;
    }

    /** An administrator sees the tokens of keys whose namespace begins with {@code prefix}. */
    public void tokensShown(ServiceRequestContext ctx, String what, String prefix) {
        write(ctx, who(ctx), what, prefix + "*", "", "shown");
    }

    void tokenShown(ServiceRequestContext ctx, Key key, Token token) {
        String who = who(ctx);
        synchronized (shown) {
            shown.add(new Shown(who, key, token));
        }
        write(ctx, who, "show-token", key.toString(), "", "shown");
    }

    /** Whether the caller shows a token that it was not granted but shown as an administrator. */
    boolean isForced(ServiceRequestContext ctx, Key key, Token token) {
        synchronized (shown) {
            return !shown.isEmpty() && shown.contains(new Shown(who(ctx), key, token));
        }
    }

    private String who(ServiceRequestContext ctx) {
        return accessGuard.caller(ctx).orElse("-");
    }

    private static void write(
            ServiceRequestContext ctx, String who, String what, String key, String why, String result) {
        log.info(
                "{} key=\"{}\" by=\"{}\" from={} reason=\"{}\" result=\"{}\"",
                what,
                SafeLogText.of(key),
                SafeLogText.of(who),
                ctx.clientAddress().getHostAddress(),
                SafeLogText.of(why),
                result);
    }
}
