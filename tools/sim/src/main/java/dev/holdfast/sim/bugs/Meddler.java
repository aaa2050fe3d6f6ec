package dev.holdfast.sim.bugs;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.service.ServiceBacked;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A planted bug of a client: it replaces some of its calls. */
interface Meddler {
    /** The result to return instead of the call; null to let the call through. */
    @Nullable
    Object instead(AsyncLeases leases, String call, Object[] arguments);

    static Leases with(Leases leases, Meddler meddler) {
        AsyncLeases real = leases.async();
        AsyncLeases meddled =
                proxy(AsyncLeases.class, real, (call, arguments) -> meddler.instead(real, call, arguments));
        return proxy(Leases.class, leases, (call, arguments) -> call.equals("async") ? meddled : null);
    }

    /** The results of replaced calls; null for all other calls. */
    interface Answers {
        @Nullable
        Object to(String call, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, T real, Answers answers) {
        Class<?>[] interfaces =
                real instanceof ServiceBacked ? new Class<?>[] {type, ServiceBacked.class} : new Class<?>[] {type};
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), interfaces, (self, method, arguments) -> {
            Object[] given = arguments == null ? new Object[0] : arguments;
            Object result = answers.to(method.getName(), given);
            if (result != null) {
                return result;
            }
            try {
                return method.invoke(real, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return type.cast(proxy);
    }
}
