package dev.holdfast.spring.weaving;

import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.IfHeld;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a method with a lease. */
record LeasedCall(Leases leases, Key key, WovenMethod method, MethodInvocation invocation, RunningCalls running) {
    private static final Logger log = LoggerFactory.getLogger(LeasedCall.class);

    /** Runs the method itself, with {@code lease} as the current one. */
    @Nullable
    Object proceed(Lease lease) throws Exception {
        return CurrentLease.<@Nullable Object>call(lease, () -> proceed(invocation));
    }

    static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    /** Whether the call returns an empty result, as its key was refused; otherwise it fails. */
    boolean isSkipped(NotGrantedException refusal) {
        boolean skipped = method.ifHeld() == IfHeld.SKIP;
        if (skipped) {
            log.debug("{} is skipped: {}", method.method().getName(), refusal.getMessage());
        }
        return skipped;
    }

    /** The failure of a wait that was interrupted, as the method may not declare the JDK's exception. */
    Exception interrupted(InterruptedException e) {
        boolean declared = Stream.of(method.method().getExceptionTypes()).anyMatch(type -> type.isInstance(e));
        if (declared) {
            return e;
        }
        Thread.currentThread().interrupt();
        return new IllegalStateException(key + ": interrupted while waiting for the lease", e);
    }
}
