package dev.holdfast.internal.waiting;

import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.internal.pipeline.Answer;
import dev.holdfast.internal.pipeline.EntryCache;
import dev.holdfast.internal.pipeline.PipelineClock;
import dev.holdfast.internal.pipeline.RequestSubmitter;
import dev.holdfast.internal.pipeline.UndeliveredGrants;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.internal.rules.ValidityRules;
import dev.holdfast.store.ChangeNotifier;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lines of those who wait in this process, one per key that somebody waits for. */
public final class WaitQueues {
    private final WaitEnvironment environment;
    /** Changed under its own lock, so that nobody joins a line that is being dropped; read without. */
    private final Map<Key, WaitQueue> lines = new ConcurrentHashMap<>();
    /** Those that wait for what an anchor keeps alive, by the anchor. */
    private final Map<Key, Set<WaitQueue>> byAnchor = new ConcurrentHashMap<>();

    public WaitQueues(
            RequestSubmitter submitter,
            UndeliveredGrants undelivered,
            EntryCache cache,
            PipelineClock clock,
            ValidityRules validity,
            Optional<ChangeNotifier> notifier,
            Duration operationTimeout) {
        this.environment =
                new WaitEnvironment(submitter, undelivered, cache, clock, validity, notifier, operationTimeout);
    }

    /** Waits in line for a grant until {@code deadlineNanos}; then the answer is the last refusal. */
    public CompletableFuture<Answer> acquire(Key key, LeaseRequest.Acquire request, long deadlineNanos) {
        long lastDeadlineNanos = environment.nanos()
                + Math.max(deadlineNanos - environment.nanos(), environment.operationTimeoutNanos());
        WaitingRequest waitingRequest =
                new WaitingRequest(request, environment.clock().nextPlace(), deadlineNanos, lastDeadlineNanos);
        WaitQueue line;
        synchronized (lines) {
            line = lines.computeIfAbsent(key, k -> new WaitQueue(environment, k, this));
            line.join(waitingRequest);
        }
        line.admit(waitingRequest);
        return waitingRequest.future;
    }

    public boolean isWaitedFor(Key key) {
        return lines.containsKey(key);
    }

    /** Has {@code token} give way to the first who waits; null if nobody does, or he is trying at this moment. */
    @Nullable
    public CompletableFuture<Answer> handOver(Key key, Token token) {
        WaitQueue line = lines.get(key);
        return line == null ? null : line.handOver(token);
    }

    /** Tells those who wait for {@code key}, or for what it kept alive, that it may be free. */
    public void freed(Key key) {
        WaitQueue line = lines.get(key);
        if (line != null) {
            line.wake();
        }
        if (key.isAnchor()) {
            byAnchor.getOrDefault(key, Set.of()).forEach(WaitQueue::wake);
        }
    }

    void watchAnchor(Key anchor, WaitQueue line) {
        byAnchor.compute(anchor, (key, known) -> {
            Set<WaitQueue> watching = known == null ? ConcurrentHashMap.newKeySet() : known;
            watching.add(line);
            return watching;
        });
    }

    void forgetAnchor(Key anchor, WaitQueue line) {
        byAnchor.computeIfPresent(anchor, (key, watching) -> {
            watching.remove(line);
            return watching.isEmpty() ? null : watching;
        });
    }

    /** Ends all waiting. */
    public void failAll(RuntimeException reason) {
        lines.values().forEach(line -> line.failAll(reason));
    }

    /** Drops a line that nobody is in. */
    void dropIfEmpty(WaitQueue line, Key key) {
        boolean dropped;
        synchronized (lines) {
            dropped = line.isEmpty() && lines.remove(key, line);
        }
        if (dropped) {
            line.close();
        }
    }
}
