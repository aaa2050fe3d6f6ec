package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.locks.LockThread;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The snippet for Reactor in docs/bridges.md does not lose a lease. */
class ReactorSnippetTest {
    private static final Key KEY = Key.of("report");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults();

    private final Leases leases = Holdfast.open("memory:");

    @AfterEach
    void close() {
        leases.close();
    }

    private Mono<String> underALease(Function<Lease, Mono<String>> work) {
        Mono<Lease> acquired = Mono.fromFuture(() -> leases.async()
                        .acquire(KEY, OPTIONS, Duration.ofMinutes(1))
                        .toCompletableFuture())
                .map(AcquireResult::orThrow)
                .doOnDiscard(
                        AcquireResult.Granted.class, granted -> granted.lease().releaseAsync());
        return Mono.usingWhen(acquired, work, lease -> Mono.fromCompletionStage(lease::releaseAsync));
    }

    private Lease acquire() throws InterruptedException {
        return leases.acquire(KEY, OPTIONS, Duration.ofMinutes(1)).orThrow();
    }

    @Test
    void theLeaseIsHeldWhileTheWorkRuns() throws InterruptedException {
        assertThat(underALease(lease -> Mono.just("held: " + lease.isHeld())).block())
                .isEqualTo("held: true");

        acquire().close();
    }

    @Test
    void aCancelledWaitIsGrantedNothing() throws InterruptedException {
        Lease taken = acquire();
        Disposable waiting = underALease(lease -> Mono.just("never")).subscribe();

        waiting.dispose();
        taken.close();

        acquire().close();
    }

    /** The grant and the end of the wait come at the same time. */
    @Test
    void aCancelledGrantIsReleased() throws Exception {
        for (int i = 0; i < 200; i++) {
            Lease taken = acquire();
            Disposable waiting = underALease(lease -> Mono.never()).subscribe();
            LockThread<Boolean> releasing = LockThread.start(taken::release);
            waiting.dispose();
            assertThat(releasing.join()).isTrue();
        }
        acquire().close();
    }
}
