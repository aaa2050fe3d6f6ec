package dev.holdfast.internal.waiting;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.internal.pipeline.RequestPipeline;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseActivity;
import dev.holdfast.store.ChangeNotifier;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The wait queues of this process, one for each key that a request waits for. */
public final class WaitQueues {
    private final WaitEnvironment environment;
    /** Changed under its own lock, so that no request joins a queue that is being dropped. Read without the lock. */
    private final Map<Key, WaitQueue> queues = new ConcurrentHashMap<>();
    /** The queues for keys that are held through an anchor, by that anchor. */
    private final Map<Key, Set<WaitQueue>> byAnchor = new ConcurrentHashMap<>();

    public WaitQueues(
            RequestPipeline pipeline,
            ValidityRules validity,
            Optional<ChangeNotifier> notifier,
            Duration operationTimeout,
            LeaseListener listener) {
        this.environment = new WaitEnvironment(
                pipeline,
                pipeline.releaser(),
                pipeline.cache(),
                pipeline.clock(),
                validity,
                notifier,
                operationTimeout,
                listener);
    }

    /**
     * Waits in the queue for a grant until {@code deadlineNanos}; then the answer is the last refusal.
     *
     * @param callerWaits whether the calling thread waits for the answer
     */
    public CompletableFuture<Answer> acquire(
            Key key, LeaseRequest.Acquire request, long deadlineNanos, boolean callerWaits) {
        long lastDeadlineNanos = environment.nanos()
                + Math.max(deadlineNanos - environment.nanos(), environment.operationTimeoutNanos());
        WaitingRequest waitingRequest = new WaitingRequest(
                request, environment.clock().nextPlace(), environment.nanos(), deadlineNanos, lastDeadlineNanos);
        WaitQueue queue;
        synchronized (queues) {
            queue = queues.computeIfAbsent(key, k -> new WaitQueue(environment, k, this));
            queue.join(waitingRequest);
        }
        queue.admit(waitingRequest, callerWaits);
        return waitingRequest.future;
    }

    /** The requests that wait for {@code key} in this process. */
    public WaitingLine line(Key key) {
        WaitQueue queue = queues.get(key);
        return queue == null ? WaitingLine.EMPTY : queue.line();
    }

    /** The keys that requests wait for: see {@link LeaseActivity#waiting}. */
    public LeaseActivity.WaitingSummary lines(Predicate<Key> selected, int most) {
        PriorityQueue<Measured> longest = new PriorityQueue<>();
        int keys = 0;
        int requests = 0;
        for (Map.Entry<Key, WaitQueue> each : queues.entrySet()) {
            if (selected.test(each.getKey())) {
                Measured measured = new Measured(
                        each.getKey(), each.getValue(), each.getValue().length());
                keys++;
                requests += measured.length.requests();
                longest.add(measured);
                if (longest.size() > most) {
                    longest.remove();
                }
            }
        }
        List<LeaseActivity.WaitedKey> described = longest.stream()
                .sorted(Comparator.reverseOrder())
                .map(it -> new LeaseActivity.WaitedKey(it.key, it.queue.line()))
                .toList();
        return new LeaseActivity.WaitingSummary(keys, requests, described);
    }

    /** A queue and its length at one moment: the length changes while queues are compared. */
    private record Measured(Key key, WaitQueue queue, WaitQueue.LineLength length) implements Comparable<Measured> {
        @Override
        public int compareTo(Measured other) {
            int byLength = length.compareTo(other.length);
            return byLength != 0 ? byLength : other.key.compareTo(key);
        }
    }

    public boolean isWaitedFor(Key key) {
        return queues.containsKey(key);
    }

    /**
     * Releases a lease and grants the key to the first waiting request, or to the one that the release names; null if
     * no such request waits, or one is attempting at this moment.
     */
    @Nullable
    public CompletableFuture<Answer> handOver(Key key, LeaseRequest.Release release, boolean callerWaits) {
        WaitQueue queue = queues.get(key);
        return queue == null ? null : queue.handOver(release, callerWaits);
    }

    /** Wakes the queue of {@code key}, and of keys that were held through it: they may be free. */
    public void freed(Key key) {
        WaitQueue queue = queues.get(key);
        if (queue != null) {
            queue.released();
        }
        if (key.isAnchor()) {
            byAnchor.getOrDefault(key, Set.of()).forEach(WaitQueue::wake);
        }
    }

    void watchAnchor(Key anchor, WaitQueue queue) {
        byAnchor.compute(anchor, (key, known) -> {
            Set<WaitQueue> watching = known == null ? ConcurrentHashMap.newKeySet() : known;
            watching.add(queue);
            return watching;
        });
    }

    void forgetAnchor(Key anchor, WaitQueue queue) {
        byAnchor.computeIfPresent(anchor, (key, watching) -> {
            watching.remove(queue);
            return watching.isEmpty() ? null : watching;
        });
    }

    /** Fails all waiting requests. */
    public void failAll(RuntimeException reason) {
        queues.values().forEach(queue -> queue.failAll(reason));
    }

    /** Drops a queue if no request is in it. */
    void dropIfEmpty(WaitQueue queue, Key key) {
        boolean dropped;
        synchronized (queues) {
            dropped = queue.isEmpty() && queues.remove(key, queue);
        }
        if (dropped) {
            queue.close();
        }
    }
}
