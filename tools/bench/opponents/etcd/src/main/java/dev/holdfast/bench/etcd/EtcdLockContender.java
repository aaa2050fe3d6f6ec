package dev.holdfast.bench.etcd;

import dev.holdfast.bench.contender.AsyncContender;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lock.LockResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The lock service of etcd. A lock is reentrant for its lease, so every thread has a lease of its own. Asynchronous
 * callers, which never ask for the same lock, share one.
 */
final class EtcdLockContender implements LockContender {
    /** The service has no attempt without waiting. */
    private static final Duration SHORT_WAIT = Duration.ofSeconds(3);

    private final EtcdSession session;
    private final Lock locks;
    private final long sharedLease;
    private final boolean holding;
    private final ThreadLocal<Long> ownLease = ThreadLocal.withInitial(this::grantLease);

    EtcdLockContender(ContenderSettings settings) throws Exception {
        session = new EtcdSession(settings);
        locks = session.client().getLockClient();
        sharedLease = session.newLease();
        holding = settings.holding();
    }

    private long grantLease() {
        try {
            return holding ? sharedLease : session.newLease();
        } catch (Exception e) {
            throw new IllegalStateException("no lease", e);
        }
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws Exception {
        return acquire(name, SHORT_WAIT);
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws Exception {
        CompletableFuture<LockResponse> answer = locks.lock(key(name), ownLease.get());
        try {
            return Optional.of(held(answer.get(wait.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return Optional.empty();
        }
    }

    @Override
    public Optional<AsyncContender> async() {
        return Optional.of(this::lockAsync);
    }

    private CompletionStage<Optional<HeldLock>> lockAsync(String name) {
        return locks.lock(key(name), sharedLease).thenApply(answer -> Optional.of(held(answer)));
    }

    private static ByteSequence key(String name) {
        return EtcdSession.bytes("lock/" + name);
    }

    private HeldLock held(LockResponse answer) {
        return new ServiceLock(locks, answer.getKey());
    }

    @Override
    public void close() {
        session.close();
    }

    private record ServiceLock(Lock locks, ByteSequence key) implements HeldLock {
        @Override
        public void release() throws Exception {
            locks.unlock(key).get();
        }

        @Override
        public CompletionStage<?> releaseAsync() {
            return locks.unlock(key);
        }
    }
}
