package dev.holdfast.sim.world;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.service.CallerTransaction;
import dev.holdfast.store.Change;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that a process has on the database of the store. Its commit may get lost, arrive late, or remain without an answer.
 * The database rolls it back if it is idle for too long: its process may have crashed.
 */
public final class SimTransaction implements CallerTransaction {
    /** The longest that the database waits for the commit. */
    private static final Duration IDLE_MAX = Duration.ofSeconds(3);

    private static final Duration LATE_MAX = Duration.ofSeconds(4);
    private static final Duration USUAL = Duration.ofMillis(5);

    private final SimWorld world;
    private final SimStore store;
    private final SimProcess process;
    private final Runnable work;
    private final List<Change> changes = new ArrayList<>();
    private boolean ended;

    /** @param work takes effect with the commit */
    public SimTransaction(SimWorld world, SimStore store, SimProcess process, Runnable work) {
        this.world = world;
        this.store = store;
        this.process = process;
        this.work = work;
        world.after(IDLE_MAX.toNanos(), this::rollback);
    }

    @Override
    public @Nullable StoredEntry lock(Key key) {
        if (!store.lock(key, this)) {
            throw StoreException.notApplied("the row is locked", null);
        }
        return store.stored(key);
    }

    @Override
    public WriteOutcome apply(Change change) {
        changes.add(change);
        return WriteOutcome.APPLIED;
    }

    /** Ends the transaction without an effect, unless it has ended. */
    public void rollback() {
        ended = true;
        store.unlock(this);
    }

    /** Sends the commit. Fails if its effect is unknown. */
    public CompletableFuture<Boolean> commit() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        process.after(
                SimNetwork.TIMEOUT.toNanos(),
                () -> answer.completeExceptionally(StoreException.unknown("the commit was not answered", null)));
        long message = recorder().requestSent(recorder().called(process, new StoreRequest.Write(changes)));
        boolean lost = process.isCutOff() || world.chance(0.1);
        if (lost) {
            recorder().requestLost(message);
        } else {
            long delay = world.chance(0.1) ? world.between(USUAL, LATE_MAX) : world.between(Duration.ZERO, USUAL);
            world.after(delay, () -> arrived(message, answer));
        }
        return answer;
    }

    private RunRecorder recorder() {
        return world.recorder();
    }

    private void arrived(long message, CompletableFuture<Boolean> answer) {
        recorder().requestArrived(message);
        if (ended) {
            recorder().answerLost(message);
            return; // Rolled back before: the connection is closed.
        }
        if (store.isDown()) {
            rollback();
            recorder().answerLost(message);
            return;
        }
        store.unlock(this);
        ended = true;
        work.run();
        changes.forEach(store::applyNow);
        if (!process.isCutOff() && !world.chance(0.1)) {
            recorder().answerSent(message, WriteOutcome.APPLIED);
            process.after(world.between(Duration.ZERO, USUAL), () -> {
                recorder().answerDelivered(message);
                answer.complete(true);
            });
        } else {
            recorder().answerLost(message);
        }
    }
}
