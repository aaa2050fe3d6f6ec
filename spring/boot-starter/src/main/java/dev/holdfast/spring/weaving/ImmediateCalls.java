package dev.holdfast.spring.weaving;

import dev.holdfast.Lease;
import dev.holdfast.NotGrantedException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Calls of methods whose work is over when they return. */
final class ImmediateCalls {
    private ImmediateCalls() {}

    static @Nullable Object run(LeasedCall call) throws Exception {
        // The method may call others with leases of their own: their refusals and interrupts are not this call's.
        AtomicBoolean granted = new AtomicBoolean();
        WovenMethod method = call.method();
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        try {
            call.leases().run(call.key(), method.options(), method.waitFor(), lease -> {
                granted.set(true);
                result.set(work(call, lease));
            });
            return result.get();
        } catch (NotGrantedException e) {
            if (!granted.get() && call.isSkipped(e)) {
                return method.method().getReturnType() == Optional.class ? Optional.empty() : null;
            }
            throw e;
        } catch (InterruptedException e) {
            throw granted.get() ? e : call.interrupted(e);
        }
    }

    private static @Nullable Object work(LeasedCall call, Lease lease) throws Exception {
        InterruptibleSection section = call.running().begin();
        Object result;
        try {
            result = call.proceed(lease);
        } finally {
            call.running().end(section);
        }
        if (call.method().once()) {
            lease.done();
        }
        return result;
    }
}
