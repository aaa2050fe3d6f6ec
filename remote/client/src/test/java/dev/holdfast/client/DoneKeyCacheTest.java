package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cache of done keys in a client, if it is enabled. */
@Tag("slow")
class DoneKeyCacheTest {
    private static final Key KEY = Key.of("files", "a");

    private final ManualClock runtime = new ManualClock(0, Duration.ofSeconds(60));
    private final Leases served = Holdfast.open(new MemoryStore(runtime), options());
    private final TestServer server = TestServer.of(served);

    @AfterEach
    void stop() {
        server.close();
        served.close();
    }

    private LeasesOptions options() {
        return LeasesOptions.builder()
                .operationTimeout(Duration.ofSeconds(60))
                .environment(runtime)
                .build();
    }

    private Leases open(String parameters) {
        return Holdfast.open(server.url() + parameters, options());
    }

    private void finish(Key key) {
        served.tryAcquire(key, AcquireOptions.defaults()).orThrow().done();
    }

    private static AcquireResult ask(Leases leases, Key key) {
        return leases.tryAcquire(key, AcquireOptions.defaults());
    }

    @Test
    void withoutACacheAReopenedKeyIsGrantedAtOnce() {
        finish(KEY);
        try (Leases leases = open("")) {
            assertThat(ask(leases, KEY)).isInstanceOf(AcquireResult.Done.class);
            served.reopen(KEY);

            assertThat(ask(leases, KEY).isGranted()).isTrue();
        }
    }

    @Test
    void aDoneKeyIsNotRequestedAgainUntilItsAgeIsOver() {
        finish(KEY);
        try (Leases leases = open("?done-cache=10&done-cache-age=30s")) {
            assertThat(ask(leases, KEY)).isInstanceOf(AcquireResult.Done.class);
            served.reopen(KEY);

            runtime.advance(Duration.ofSeconds(29));
            assertThat(ask(leases, KEY)).isInstanceOf(AcquireResult.Done.class);
            runtime.advance(Duration.ofSeconds(1));
            assertThat(ask(leases, KEY).isGranted()).isTrue();
        }
    }

    @Test
    void aClientThatReopensAKeyRemovesItFromItsCache() {
        finish(KEY);
        try (Leases leases = open("?done-cache=10")) {
            ask(leases, KEY);
            leases.reopen(KEY);

            assertThat(ask(leases, KEY).isGranted()).isTrue();
        }
    }

    @Test
    void theLatestKeysAreKept() {
        Key other = Key.of("files", "b");
        finish(KEY);
        finish(other);
        try (Leases leases = open("?done-cache=1")) {
            ask(leases, KEY);
            ask(leases, other);
            served.reopen(KEY);
            served.reopen(other);

            assertThat(ask(leases, other)).isInstanceOf(AcquireResult.Done.class);
            assertThat(ask(leases, KEY).isGranted()).isTrue();
        }
    }

    @Test
    void doneKeysUnderAPrefixAreReadInAdvance() {
        finish(KEY);
        finish(Key.of("others", "a"));
        try (RemoteLeases leases = (RemoteLeases) open("?done-cache=10&done-cache-preload=files")) {
            long startNanos = System.nanoTime();
            while (!leases.isQuiet()) {
                assertThat(System.nanoTime() - startNanos).isLessThan(60_000_000_000L);
                LockSupport.parkNanos(1_000_000);
            }
            served.reopen(KEY);
            served.reopen(Key.of("others", "a"));

            assertThat(ask(leases, KEY)).isInstanceOf(AcquireResult.Done.class);
            assertThat(ask(leases, Key.of("others", "a")).isGranted()).isTrue();
        }
    }
}
