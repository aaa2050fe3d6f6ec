package dev.holdfast.support;

import dev.holdfast.LeaseListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A guard of a user's listener: its exceptions are logged. The threads that call it also renew leases, and must not
 * fail.
 */
public final class GuardedListener {
    private static final Logger log = LoggerFactory.getLogger(LeaseListener.class);

    private GuardedListener() {}

    /** Returns {@link LeaseListener#NONE} itself, as it needs no guard. */
    public static LeaseListener of(LeaseListener listener) {
        if (listener == LeaseListener.NONE) {
            return listener;
        }
        return (LeaseListener) Proxy.newProxyInstance(
                LeaseListener.class.getClassLoader(),
                new Class<?>[] {LeaseListener.class},
                (proxy, event, arguments) -> {
                    if (event.getDeclaringClass() == Object.class) {
                        return event.invoke(listener, arguments);
                    }
                    try {
                        event.invoke(listener, arguments);
                    } catch (Throwable e) {
                        // An Error too: the request that this was about, and the others of its batch, still need their
                        // answers.
                        log.error("a listener failed", e instanceof InvocationTargetException ? e.getCause() : e);
                    }
                    return null;
                });
    }
}
