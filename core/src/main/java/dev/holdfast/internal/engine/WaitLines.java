package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lines of those who wait in this process, one per key that somebody waits for. */
final class WaitLines {
    private final Engine engine;
    /** Changed under its own lock, so that nobody joins a line that is being dropped; read without. */
    private final Map<Key, WaitLine> lines = new ConcurrentHashMap<>();
    /** Those that wait for what an anchor keeps alive, by the anchor. */
    private final Map<Key, Set<WaitLine>> byAnchor = new ConcurrentHashMap<>();

    WaitLines(Engine engine) {
        this.engine = engine;
    }

    /** Waits in line for a grant until {@code deadlineNanos}; then the answer is the last refusal. */
    CompletableFuture<Answer> acquire(Key key, Request.Acquire request, long deadlineNanos) {
        long lastDeadlineNanos =
                engine.nanos() + Math.max(deadlineNanos - engine.nanos(), engine.operationTimeoutNanos());
        Waiter waiter = new Waiter(request, engine.nextPlace(), deadlineNanos, lastDeadlineNanos);
        WaitLine line;
        synchronized (lines) {
            line = lines.computeIfAbsent(key, k -> new WaitLine(engine, k, this));
            line.join(waiter);
        }
        line.admit(waiter);
        return waiter.future;
    }

    boolean isWaitedFor(Key key) {
        return lines.containsKey(key);
    }

    /** Has {@code token} give way to the first who waits; null if nobody does, or he is trying at this moment. */
    @Nullable
    CompletableFuture<Answer> handOver(Key key, Token token) {
        WaitLine line = lines.get(key);
        return line == null ? null : line.handOver(token);
    }

    /** Tells those who wait for {@code key}, or for what it kept alive, that it may be free. */
    void freed(Key key) {
        WaitLine line = lines.get(key);
        if (line != null) {
            line.wake();
        }
        if (key.isAnchor()) {
            byAnchor.getOrDefault(key, Set.of()).forEach(WaitLine::wake);
        }
    }

    void watchAnchor(Key anchor, WaitLine line) {
        byAnchor.compute(anchor, (key, known) -> {
            Set<WaitLine> watching = known == null ? ConcurrentHashMap.newKeySet() : known;
            watching.add(line);
            return watching;
        });
    }

    void forgetAnchor(Key anchor, WaitLine line) {
        byAnchor.computeIfPresent(anchor, (key, watching) -> {
            watching.remove(line);
            return watching.isEmpty() ? null : watching;
        });
    }

    /** Ends all waiting. */
    void failAll(RuntimeException reason) {
        lines.values().forEach(line -> line.failAll(reason));
    }

    /** Drops a line that nobody is in. */
    void dropIfEmpty(WaitLine line, Key key) {
        boolean dropped;
        synchronized (lines) {
            dropped = line.isEmpty() && lines.remove(key, line);
        }
        if (dropped) {
            line.close();
        }
    }
}
