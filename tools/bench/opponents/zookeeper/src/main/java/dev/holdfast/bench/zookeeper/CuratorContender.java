package dev.holdfast.bench.zookeeper;

import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's mutex that is not reentrant. Its locks end with the session, so the session's time-out is the term. */
final class CuratorContender implements LockContender {
    /** The recipe gives up on a free lock, too, if its time is over. */
    private static final Duration SHORT_WAIT = Duration.ofSeconds(3);

    private final CuratorFramework client;

    CuratorContender(ContenderSettings settings) {
        client = CuratorFrameworkFactory.builder()
                .connectString(settings.url())
                .sessionTimeoutMs((int) settings.term().toMillis())
                .connectionTimeoutMs(15_000)
                .retryPolicy(new ExponentialBackoffRetry(100, 5))
                .build();
        client.start();
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws Exception {
        return acquire(name, SHORT_WAIT);
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws Exception {
        InterProcessSemaphoreMutex mutex = new InterProcessSemaphoreMutex(client, "/locks/" + name);
        return mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(mutex::release) : Optional.empty();
    }

    @Override
    public void close() {
        client.close();
    }
}
