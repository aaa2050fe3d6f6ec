package dev.holdfast.sim;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A client that does some calls otherwise than it was told. */
interface Meddler {
    /** What to answer instead; null to let the call through. */
    @Nullable
    Object instead(AsyncLeases leases, String call, Object[] arguments);

    static Leases with(Leases leases, Meddler meddler) {
        AsyncLeases real = leases.async();
        AsyncLeases meddled =
                proxy(AsyncLeases.class, real, (call, arguments) -> meddler.instead(real, call, arguments));
        return proxy(Leases.class, leases, (call, arguments) -> call.equals("async") ? meddled : null);
    }

    /** Answers some calls; null for those it leaves alone. */
    interface Answers {
        @Nullable
        Object to(String call, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, T real, Answers answers) {
        Object proxy =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object[] given = arguments == null ? new Object[0] : arguments;
                    Object answer = answers.to(method.getName(), given);
                    if (answer != null) {
                        return answer;
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
