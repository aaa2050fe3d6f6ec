package dev.holdfast.spring.weaving;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.spring.IfHeld;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method with a lease, as its annotation describes it.
 *
 * @param once whether the key is marked done after the method
 * @param store the name of the store; empty for the default one
 */
record WovenMethod(
        Method method,
        boolean once,
        String namespace,
        KeyTemplate name,
        Duration waitFor,
        AcquireOptions options,
        String store,
        IfHeld ifHeld,
        ResultShape shape) {
    /** The key of one call. */
    Key key(Object target, @Nullable Object[] arguments, Supplier<Instant> now) {
        return Key.of(namespace, name.render(target, arguments, now));
    }
}
