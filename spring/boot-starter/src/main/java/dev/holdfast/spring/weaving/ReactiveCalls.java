package dev.holdfast.spring.weaving;

import dev.holdfast.AttributePatch;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.NotGrantedException;
import dev.holdfast.spring.CurrentLease;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Calls of methods that return a reactive type. Each subscription acquires the key without blocking, then calls the method, and
 * keeps the lease until the publisher completes, fails or is cancelled.
 */
final class ReactiveCalls {
    private ReactiveCalls() {}

    static Object run(LeasedCall call) {
        ReactiveAdapter adapter = Objects.requireNonNull(
                ResultShape.adapter(call.method().method().getReturnType()));
        // The invocation of the caller ends before a subscription begins, and there may be several subscriptions.
        MethodInvocation template = ((ProxyMethodInvocation) call.invocation()).invocableClone();
        Flux<Object> work = Flux.usingWhen(
                acquired(call),
                lease -> underLease(lease, template, adapter),
                lease -> complete(call, lease),
                (lease, error) -> release(lease),
                ReactiveCalls::release);
        return adapter.fromPublisher(adapter.isMultiValue() ? work : work.singleOrEmpty());
    }

    /** The lease; empty if the call is skipped. The method then runs on a thread of Reactor, where it may block. */
    private static Mono<Lease> acquired(LeasedCall call) {
        WovenMethod method = call.method();
        return Mono.fromFuture(() -> call.leases()
                        .async()
                        .acquire(call.key(), method.options(), method.waitFor())
                        .toCompletableFuture())
                .map(result -> result.orThrow())
                .onErrorResume(NotGrantedException.class, e -> call.isSkipped(e) ? Mono.empty() : Mono.error(e))
                .publishOn(Schedulers.boundedElastic())
                // Cancelled on the way between the two threads: the lease is not used.
                .doOnDiscard(Lease.class, Lease::releaseAsync);
    }

    private static Flux<Object> underLease(Lease lease, MethodInvocation template, ReactiveAdapter adapter) {
        Mono<Object> lost =
                Mono.create(sink -> lease.onLost(reason -> sink.error(new LeaseLostException(lease.key(), reason))));
        Mono<Object> heldToTheEnd = Mono.defer(() -> {
            LeaseLostException loss = StageCalls.loss(lease);
            return loss == null ? Mono.empty() : Mono.error(loss);
        });
        return Flux.defer(() -> called(lease, template, adapter))
                .concatWith(heldToTheEnd)
                .takeUntilOther(lost);
    }

    private static Publisher<Object> called(Lease lease, MethodInvocation template, ReactiveAdapter adapter) {
        MethodInvocation invocation = ((ProxyMethodInvocation) template).invocableClone();
        try {
            @Nullable Object result = CurrentLease.<@Nullable Object>call(lease, () -> LeasedCall.proceed(invocation));
            return adapter.toPublisher(result);
        } catch (Exception e) {
            return Mono.error(e);
        }
    }

    private static Mono<?> complete(LeasedCall call, Lease lease) {
        return call.method().once()
                ? Mono.fromCompletionStage(() -> lease.doneAsync(AttributePatch.NONE))
                        .onErrorResume(e -> release(lease).then(Mono.error(e)))
                : release(lease);
    }

    /** A key that cannot be released is free when its term ends. */
    private static Mono<Boolean> release(Lease lease) {
        return Mono.fromCompletionStage(lease::releaseAsync).onErrorReturn(false);
    }
}
