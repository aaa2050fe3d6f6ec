package dev.holdfast.cli.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Signals of the operating system, through {@code sun.misc.Signal}: the only way to handle them in Java without native
 * code. The JDK exports it for that, and every terminal library uses it. It is called by reflection, because javac's
 * warning about it cannot be turned off.
 */
public final class SystemSignal {
    private SystemSignal() {}

    /**
     * Calls {@code action}, on a separate thread, instead of the signal's default action.
     *
     * @return an action that restores the previous handler; it does nothing if the JVM or the platform reserves the signal
     */
    public static Runnable handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            Object of = signal.getConstructor(String.class).newInstance(name);
            Object ours = Proxy.newProxyInstance(
                    SystemSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return method.getName().equals("equals") ? proxy == args[0] : System.identityHashCode(proxy);
                    });
            Object before = handle.invoke(null, of, ours);
            return () -> restore(handle, of, before);
        } catch (InvocationTargetException e) {
            return () -> {};
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no sun.misc.Signal: a module is missing from this Java, jdk.unsupported", e);
        }
    }

    private static void restore(Method handle, Object signal, @Nullable Object before) {
        try {
            handle.invoke(null, signal, before);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("sun.misc.Signal", e);
        }
    }
}
