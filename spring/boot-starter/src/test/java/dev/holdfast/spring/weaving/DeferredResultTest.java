package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.IfHeld;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.Once;
import dev.holdfast.spring.TestApplication;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class DeferredResultTest {
    private final ApplicationContextRunner application =
            TestApplication.inMemory().withBean(Work.class);

    static class Work {
        private final AtomicInteger calls = new AtomicInteger();

        int calls() {
            return calls.get();
        }

        @Leased(key = "key", waitFor = "0s", term = "1s")
        public CompletableFuture<String> future(CompletableFuture<String> result) {
            calls.incrementAndGet();
            return result;
        }

        @Leased(key = "key", waitFor = "0s", ifHeld = IfHeld.SKIP)
        public CompletionStage<String> skippable() {
            return CompletableFuture.completedFuture("ran");
        }

        @Once(key = "key")
        public CompletionStage<String> once(CompletionStage<String> result) {
            calls.incrementAndGet();
            return result;
        }

        @Leased(key = "key", waitFor = "0s", term = "1s")
        public Mono<String> mono(Mono<String> result) {
            calls.incrementAndGet();
            return result.map(value -> value + CurrentLease.get().isPresent());
        }

        @Leased(key = "key", waitFor = "0s", term = "1s")
        public Flux<String> flux(Flux<String> result) {
            calls.incrementAndGet();
            return result;
        }

        @Leased(key = "key", waitFor = "0s", ifHeld = IfHeld.SKIP)
        public Mono<String> skippableMono() {
            return Mono.just("ran");
        }

        @Once(key = "key")
        public Mono<String> onceMono(Mono<String> result) {
            calls.incrementAndGet();
            return result;
        }
    }

    private static LeaseState state(Leases leases) {
        return leases.get(Key.of("key")).map(status -> status.state()).orElse(LeaseState.FREE);
    }

    private static void awaitState(Leases leases, LeaseState state) throws InterruptedException {
        TestApplication.await(state.toString(), () -> state(leases) == state);
    }

    @Test
    void aStageKeepsTheLeaseUntilItCompletes() {
        application.run(context -> {
            Leases leases = context.getBean(Leases.class);
            CompletableFuture<String> inner = new CompletableFuture<>();

            CompletableFuture<String> outer = context.getBean(Work.class).future(inner);
            assertThat(state(leases)).isEqualTo(LeaseState.HELD);
            assertThat(outer).isNotDone();

            inner.complete("value");
            assertThat(outer.get(30, TimeUnit.SECONDS)).isEqualTo("value");
            assertThat(state(leases)).isEqualTo(LeaseState.FREE);
        });
    }

    @Test
    void aFailedOrCancelledStageReleasesTheLease() {
        application.run(context -> {
            Leases leases = context.getBean(Leases.class);
            Work work = context.getBean(Work.class);

            CompletableFuture<String> failed =
                    work.future(CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
            assertThatThrownBy(() -> failed.get(30, TimeUnit.SECONDS)).hasRootCauseMessage("on purpose");
            assertThat(state(leases)).isEqualTo(LeaseState.FREE);

            CompletableFuture<String> inner = new CompletableFuture<>();
            work.future(inner).cancel(true);
            assertThat(inner).isCancelled();
            awaitState(leases, LeaseState.FREE);
        });
    }

    @Test
    void aLossFailsTheStageAndCancelsTheWork() {
        application.run(context -> {
            CompletableFuture<String> inner = new CompletableFuture<>();
            CompletableFuture<String> outer = context.getBean(Work.class).future(inner);

            context.getBean(Leases.class).evict(Key.of("key"), "for the test");

            assertThatThrownBy(() -> outer.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LeaseLostException.class);
            TestApplication.await("cancelled", inner::isCancelled);
        });
    }

    @Test
    void aRefusedStageFailsOrIsEmpty() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("key").orThrow();
            Work work = context.getBean(Work.class);

            assertThat(work.future(new CompletableFuture<>()))
                    .failsWithin(java.time.Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(NotGrantedException.class);
            assertThat(work.skippable().toCompletableFuture().get()).isNull();
            assertThat(work.calls()).isEqualTo(0);
        });
    }

    @Test
    void aStageIsProcessedOnce() {
        application.run(context -> {
            Work work = context.getBean(Work.class);

            assertThatThrownBy(() -> work.once(CompletableFuture.failedFuture(new IllegalStateException("on purpose")))
                            .toCompletableFuture()
                            .get(30, TimeUnit.SECONDS))
                    .hasRootCauseMessage("on purpose");
            assertThat(work.once(CompletableFuture.completedFuture("a"))
                            .toCompletableFuture()
                            .get(30, TimeUnit.SECONDS))
                    .isEqualTo("a");
            assertThat(state(context.getBean(Leases.class))).isEqualTo(LeaseState.DONE);
            assertThat(work.once(CompletableFuture.completedFuture("b"))
                            .toCompletableFuture()
                            .get(30, TimeUnit.SECONDS))
                    .isNull();
            assertThat(work.calls()).isEqualTo(2);
        });
    }

    @Test
    void aMonoAcquiresTheLeaseWithEachSubscription() {
        application.run(context -> {
            Leases leases = context.getBean(Leases.class);
            Work work = context.getBean(Work.class);
            Sinks.One<String> sink = Sinks.one();

            Mono<String> mono = work.mono(sink.asMono());
            assertThat(work.calls()).isEqualTo(0);
            assertThat(state(leases)).isEqualTo(LeaseState.FREE);

            CompletableFuture<String> first = mono.toFuture();
            TestApplication.await("called", () -> work.calls() == 1);
            assertThat(state(leases)).isEqualTo(LeaseState.HELD);
            sink.emitValue("value ", Sinks.EmitFailureHandler.FAIL_FAST);
            assertThat(first.get(30, TimeUnit.SECONDS)).startsWith("value");
            assertThat(state(leases)).isEqualTo(LeaseState.FREE);

            assertThat(mono.block(java.time.Duration.ofSeconds(30))).startsWith("value");
            assertThat(work.calls()).isEqualTo(2);
        });
    }

    @Test
    void aFluxKeepsTheLeaseUntilItsEnd() {
        application.run(context -> {
            Leases leases = context.getBean(Leases.class);
            Work work = context.getBean(Work.class);
            Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
            CompletableFuture<java.util.List<String>> all =
                    work.flux(sink.asFlux()).collectList().toFuture();

            TestApplication.await("called", () -> work.calls() == 1);
            sink.emitNext("a", Sinks.EmitFailureHandler.FAIL_FAST);
            assertThat(state(leases)).isEqualTo(LeaseState.HELD);
            sink.emitNext("b", Sinks.EmitFailureHandler.FAIL_FAST);
            sink.emitComplete(Sinks.EmitFailureHandler.FAIL_FAST);

            assertThat(all.get(30, TimeUnit.SECONDS)).containsExactly("a", "b");
            assertThat(state(leases)).isEqualTo(LeaseState.FREE);
        });
    }

    @Test
    void aCancelledOrFailedFluxReleasesTheLease() {
        application.run(context -> {
            Leases leases = context.getBean(Leases.class);
            Work work = context.getBean(Work.class);

            Disposable subscription = work.flux(Flux.never()).subscribe();
            TestApplication.await("called", () -> work.calls() == 1);
            subscription.dispose();
            awaitState(leases, LeaseState.FREE);

            assertThatThrownBy(() -> work.flux(Flux.error(new IllegalStateException("on purpose")))
                            .blockLast())
                    .hasMessage("on purpose");
            awaitState(leases, LeaseState.FREE);
        });
    }

    @Test
    void aLossFailsAFlux() {
        application.run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> last = work.flux(Flux.never()).last().toFuture();
            TestApplication.await("called", () -> work.calls() == 1);

            context.getBean(Leases.class).evict(Key.of("key"), "for the test");

            assertThatThrownBy(() -> last.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        });
    }

    @Test
    void aRefusedMonoFailsOrIsEmpty() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("key").orThrow();
            Work work = context.getBean(Work.class);

            assertThatThrownBy(() -> work.mono(Mono.just("")).block()).isInstanceOf(NotGrantedException.class);
            assertThat(work.skippableMono().blockOptional()).isEmpty();
            assertThat(work.calls()).isEqualTo(0);
        });
    }

    @Test
    void aMonoIsProcessedOnce() {
        application.run(context -> {
            Work work = context.getBean(Work.class);

            assertThatThrownBy(() -> work.onceMono(Mono.error(new IllegalStateException("on purpose")))
                            .block())
                    .hasMessage("on purpose");
            assertThat(work.onceMono(Mono.just("a")).block()).isEqualTo("a");
            assertThat(state(context.getBean(Leases.class))).isEqualTo(LeaseState.DONE);
            assertThat(work.onceMono(Mono.just("b")).blockOptional()).isEmpty();
            assertThat(work.calls()).isEqualTo(2);
        });
    }
}
