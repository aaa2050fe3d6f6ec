package dev.holdfast.bench.holdfast;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.bench.contender.AsyncContender;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import dev.holdfast.bench.contender.StoreCounts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Holdfast with its default options; many leases of one worker are held under its anchor. */
final class LeasesContender implements LockContender {
    private static final String NAMESPACE = "bench";

    private final WriteCounter writes = new WriteCounter();
    private final Leases leases;
    private final AcquireOptions options;

    LeasesContender(ContenderSettings settings) {
        // Servers start cold, on a machine that may have other load.
        leases = Holdfast.open(
                settings.url(),
                LeasesOptions.builder()
                        .holder(settings.worker())
                        .listener(writes)
                        .operationTimeout(Duration.ofMinutes(1))
                        .build());
        AcquireOptions plain = AcquireOptions.defaults().term(settings.term());
        options = settings.holding() ? plain.under(leases.anchor(settings.worker(), settings.term())) : plain;
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) {
        return held(leases.tryAcquire(Key.of(NAMESPACE, name), options));
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws InterruptedException {
        return held(leases.acquire(Key.of(NAMESPACE, name), options, wait));
    }

    @Override
    public Optional<AsyncContender> async() {
        return Optional.of(name ->
                leases.async().tryAcquire(Key.of(NAMESPACE, name), options).thenApply(LeasesContender::held));
    }

    private static Optional<HeldLock> held(AcquireResult result) {
        return result.isGranted() ? Optional.of(new LeasedLock(result.orThrow())) : Optional.empty();
    }

    /** Requests of one worker share commits, so a million leases are acquired in minutes. */
    @Override
    public int holdingThreads() {
        return 32;
    }

    @Override
    public boolean hasDone() {
        return true;
    }

    @Override
    public StoreCounts counts() {
        return writes.counts();
    }

    @Override
    public void close() {
        leases.close();
    }

    private record LeasedLock(Lease lease) implements HeldLock {
        @Override
        public void release() {
            lease.release();
        }

        @Override
        public CompletionStage<?> releaseAsync() {
            return lease.releaseAsync();
        }

        @Override
        public void done() {
            lease.done();
        }

        @Override
        public CompletionStage<?> doneAsync() {
            return lease.doneAsync(AttributePatch.NONE);
        }
    }
}
