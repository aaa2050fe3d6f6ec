package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.Token;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The operations of the Manager of TableTheory's lease package, done by a client without threads, with the test's clock
 * and tokens.
 */
class TableTheoryParityTest {
    private static final Key LOCK = Key.of("order-42");
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(Duration.ofSeconds(30));

    private final ForeignTable table = new ForeignTable("layout=tabletheory&ttl-buffer=10m", "pk", "sk");
    private final Numbered time = new Numbered(new ManualClock());
    private final Leases manager = Holdfast.open(
            table.store(time),
            LeasesOptions.builder().withoutThreads().environment(time).build());

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void clockAndTokensComeFromOutside() {
        Lease lease = manager.tryAcquire(LOCK, OPTIONS).orThrow();

        assertThat(time.drawn).contains(lease.token().id());
        assertThat(Tool.text(table.item("order-42", "LOCK"), "lease_token"))
                .isEqualTo(lease.token().secret());
        long ends = time.now().plusSeconds(30).getEpochSecond();
        assertThat(Tool.number(table.item("order-42", "LOCK"), "lease_expires_at"))
                .isEqualTo(ends);
        assertThat(Tool.number(table.item("order-42", "LOCK"), "ttl")).isEqualTo(ends + 600);
    }

    @Test
    void aHeldLeaseIsAnErrorOfItsOwnType() {
        manager.tryAcquire(LOCK, OPTIONS).orThrow();

        assertThatExceptionOfType(NotGrantedException.class)
                .isThrownBy(() -> manager.tryAcquire(LOCK, OPTIONS).orThrow())
                .satisfies(e -> assertThat(e.key()).contains(LOCK));
    }

    @Test
    void anotherOwnerIsAnErrorOfItsOwnType() {
        Token stranger = Token.of(new UUID(0, 4711));
        manager.tryAcquire(LOCK, OPTIONS).orThrow();

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> manager.renew(LOCK, stranger))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.TAKEN));
        assertThat(manager.release(LOCK, stranger))
                .as("no error, as in TableTheory")
                .isFalse();
    }

    @Test
    void aLeaseIsRefreshedAndReleasedByItsToken() {
        Token token = manager.tryAcquire(LOCK, OPTIONS).orThrow().detach();
        time.inner.advance(Duration.ofSeconds(20));

        assertThat(manager.renew(LOCK, token).remaining()).isEqualTo(Duration.ofSeconds(25));
        assertThat(Tool.number(table.item("order-42", "LOCK"), "lease_expires_at"))
                .isEqualTo(time.now().plusSeconds(30).getEpochSecond());
        assertThat(manager.release(LOCK, token)).isTrue();
        assertThat(manager.tryAcquire(LOCK, OPTIONS).isGranted()).isTrue();
    }

    @Test
    void withoutThreadsALeaseEndsByTheClockAlone() {
        Lease lease = manager.tryAcquire(LOCK, OPTIONS).orThrow();

        time.inner.advance(Duration.ofSeconds(24));
        assertThat(lease.isHeld()).isTrue();
        time.inner.advance(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void badInputIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> Key.of(""));
        assertThatIllegalArgumentException().isThrownBy(() -> OPTIONS.term(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> Token.parse(""));
    }

    /** Manual time with known ids. */
    private static final class Numbered implements HostEnvironment {
        final ManualClock inner;
        final List<UUID> drawn = new ArrayList<>();

        Numbered(ManualClock inner) {
            this.inner = inner;
        }

        @Override
        public UUID randomId() {
            UUID id = new UUID(0x70, drawn.size());
            drawn.add(id);
            return id;
        }

        @Override
        public long nanos() {
            return inner.nanos();
        }

        @Override
        public Instant now() {
            return inner.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return inner.schedule(delay, task);
        }

        @Override
        public void execute(Runnable callback) {
            inner.execute(callback);
        }

        @Override
        public double random() {
            return inner.random();
        }

        @Override
        public void await(CompletableFuture<?> future) throws InterruptedException {
            inner.await(future);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
