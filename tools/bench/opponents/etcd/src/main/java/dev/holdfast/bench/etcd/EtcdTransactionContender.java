package dev.holdfast.bench.etcd;

import dev.holdfast.bench.contender.AsyncContender;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A lock made by hand: a key under the lease of the process, put by a transaction if it does not exist, and deleted by a
 * transaction if it still has the token. A waiter watches the key until it is deleted.
 */
final class EtcdTransactionContender implements LockContender {
    private final EtcdSession session;
    private final KV keys;
    private final PutOption underLease;

    EtcdTransactionContender(ContenderSettings settings) throws Exception {
        session = new EtcdSession(settings);
        keys = session.client().getKVClient();
        underLease = PutOption.builder().withLeaseId(session.newLease()).build();
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws Exception {
        KeyLock lock = new KeyLock(name);
        return lock.put().get().isSucceeded() ? Optional.of(lock) : Optional.empty();
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws Exception {
        long untilNanos = System.nanoTime() + wait.toNanos();
        KeyLock lock = new KeyLock(name);
        while (System.nanoTime() - untilNanos < 0) {
            TxnResponse answer = lock.put().get();
            if (answer.isSucceeded()) {
                return Optional.of(lock);
            }
            awaitDelete(lock.key, answer.getHeader().getRevision(), untilNanos - System.nanoTime());
        }
        return Optional.empty();
    }

    private void awaitDelete(ByteSequence key, long revision, long nanos) throws InterruptedException {
        CountDownLatch deleted = new CountDownLatch(1);
        WatchOption after =
                WatchOption.builder().withRevision(revision + 1).withNoPut(true).build();
        Watch.Watcher watcher = session.client().getWatchClient().watch(key, after, answer -> deleted.countDown());
        try {
            deleted.await(nanos, TimeUnit.NANOSECONDS);
        } finally {
            watcher.close();
        }
    }

    @Override
    public Optional<AsyncContender> async() {
        return Optional.of(this::putAsync);
    }

    private CompletionStage<Optional<HeldLock>> putAsync(String name) {
        KeyLock lock = new KeyLock(name);
        return lock.put().thenApply(answer -> answer.isSucceeded() ? Optional.of(lock) : Optional.empty());
    }

    @Override
    public boolean hasDone() {
        return true;
    }

    @Override
    public void close() {
        session.close();
    }

    private final class KeyLock implements HeldLock {
        final ByteSequence key;
        private final ByteSequence token = EtcdSession.bytes(UUID.randomUUID().toString());

        KeyLock(String name) {
            key = EtcdSession.bytes("txn/" + name);
        }

        CompletableFuture<TxnResponse> put() {
            return keys.txn()
                    .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.version(0)))
                    .Then(Op.put(key, token, underLease))
                    .commit();
        }

        private CompletableFuture<Void> end(Op then) {
            return keys.txn()
                    .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(token)))
                    .Then(then)
                    .commit()
                    .thenAccept(answer -> {
                        if (!answer.isSucceeded()) {
                            throw new IllegalStateException(key + " was lost");
                        }
                    });
        }

        @Override
        public void release() throws Exception {
            releaseAsync().get();
        }

        @Override
        public CompletableFuture<?> releaseAsync() {
            return end(Op.delete(key, DeleteOption.DEFAULT));
        }

        @Override
        public void done() throws Exception {
            doneAsync().get();
        }

        @Override
        public CompletableFuture<?> doneAsync() {
            return end(Op.put(key, EtcdSession.bytes("done"), PutOption.DEFAULT));
        }
    }
}
