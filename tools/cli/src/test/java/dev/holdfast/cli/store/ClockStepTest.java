package dev.holdfast.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong wall clock, on the default store of the command. */
class ClockStepTest {
    private static final Key KEY = Key.of("a");
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir
    private Path folder;

    @Test
    void aWallClockAYearAheadDoesNotExpireTheLeaseOfALiveHolder() {
        try (Leases holder = open(Duration.ZERO);
                Leases ahead = open(YEAR)) {
            assertThat(holder.tryAcquire(KEY, term("2m")).isGranted()).isTrue();

            assertThat(ahead.tryAcquire(KEY, term("2m"))).isInstanceOf(AcquireResult.HeldByAnother.class);
            assertThat(ahead.get(KEY).orElseThrow().remaining())
                    .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(3));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void theLeaseOfADeadHolderExpiresAfterItsTermWhateverTheClocksShow(int sign) throws InterruptedException {
        try (Leases dead = open(Duration.ZERO);
                Leases other = open(YEAR.multipliedBy(sign))) {
            dead.tryAcquire(KEY, term("500ms").autoRenew(false)).orThrow().detach();

            long start = System.nanoTime();
            AcquireResult result = other.acquire(KEY, term("2m"), Duration.ofSeconds(20));

            assertThat(result.isGranted()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    private static AcquireOptions term(String text) {
        return AcquireOptions.defaults().term(dev.holdfast.cli.option.DurationParser.parse(text));
    }

    private Leases open(Duration offset) {
        String url = "sqlite:" + folder.resolve("leases.db");
        Leases clockwork = Holdfast.open("memory:");
        LeasesOptions options =
                LeasesOptions.builder().environment(new Shifted(clockwork, offset)).build();
        return Holdfast.open(StoreOpener.provider(url), url, options);
    }

    /** The system's environment with a shifted wall clock. */
    private record Shifted(Leases owner, Duration offset) implements HostEnvironment {
        @Override
        public long nanos() {
            return LeaseService.of(owner).environment().nanos();
        }

        @Override
        public Instant now() {
            return LeaseService.of(owner).environment().now().plus(offset);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return LeaseService.of(owner).environment().schedule(delay, task);
        }

        @Override
        public void execute(Runnable callback) {
            LeaseService.of(owner).environment().execute(callback);
        }

        @Override
        public UUID randomId() {
            return LeaseService.of(owner).environment().randomId();
        }

        @Override
        public double random() {
            return LeaseService.of(owner).environment().random();
        }

        @Override
        public void await(CompletableFuture<?> future) throws InterruptedException {
            LeaseService.of(owner).environment().await(future);
        }

        @Override
        public void close() {
            owner.close();
        }
    }
}
