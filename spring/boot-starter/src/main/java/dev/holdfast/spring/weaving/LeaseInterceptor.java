package dev.holdfast.spring.weaving;

import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import java.time.Instant;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs a method under its lease. */
final class LeaseInterceptor implements MethodInterceptor {
    private final WovenMethods methods;
    private final StoreLookup stores;
    private final RunningCalls running;

    LeaseInterceptor(WovenMethods methods, StoreLookup stores, RunningCalls running) {
        this.methods = methods;
        this.stores = stores;
        this.running = running;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        WovenMethod method = Objects.requireNonNull(methods.find(invocation.getMethod(), target.getClass()));
        Leases leases = stores.find(method.store());
        LeasedCall call = new LeasedCall(
                leases, method.key(target, invocation.getArguments(), () -> now(leases)), method, invocation, running);
        return switch (method.shape()) {
            case IMMEDIATE -> ImmediateCalls.run(call);
            case STAGE -> StageCalls.run(call);
            case REACTIVE -> ReactiveCalls.run(call);
        };
    }

    /** By the clock of the client, which a test may control. */
    private static Instant now(Leases leases) {
        return LeaseService.of(leases).environment().now();
    }
}
