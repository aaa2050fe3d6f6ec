package dev.holdfast.bench.redisson;

import dev.holdfast.bench.contender.AsyncContender;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's reentrant lock, kept alive by its watchdog. Asynchronous callers pass a number in place of a thread. */
final class RedissonContender implements LockContender {
    /** Beyond the numbers of threads. */
    private final AtomicLong callers = new AtomicLong(1L << 40);

    private final RedissonClient redisson;

    RedissonContender(ContenderSettings settings) {
        Config config = new Config();
        config.setLockWatchdogTimeout(settings.term().toMillis());
        config.useSingleServer().setAddress(settings.url());
        redisson = Redisson.create(config);
    }

    private RLock lock(String name) {
        return redisson.getLock("redisson:" + name);
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) {
        RLock lock = lock(name);
        return lock.tryLock() ? Optional.of(lock::unlock) : Optional.empty();
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws InterruptedException {
        RLock lock = lock(name);
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(lock::unlock) : Optional.empty();
    }

    @Override
    public Optional<AsyncContender> async() {
        return Optional.of(this::lockAsync);
    }

    private CompletionStage<Optional<HeldLock>> lockAsync(String name) {
        RLock lock = lock(name);
        long caller = callers.incrementAndGet();
        return lock.tryLockAsync(caller)
                .thenApply(granted -> granted ? Optional.of(new CallerLock(lock, caller)) : Optional.empty());
    }

    @Override
    public void close() {
        redisson.shutdown();
    }

    private record CallerLock(RLock lock, long caller) implements HeldLock {
        @Override
        public void release() throws Exception {
            lock.unlockAsync(caller).get();
        }

        @Override
        public CompletionStage<?> releaseAsync() {
            return lock.unlockAsync(caller);
        }
    }
}
