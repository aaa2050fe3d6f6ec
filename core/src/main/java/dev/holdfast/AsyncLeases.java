package dev.holdfast;

import dev.holdfast.explanation.LeaseExplanation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@link Leases} without blocking. Stages fail with the exceptions that the blocking forms throw; bad arguments and a
 * closed client are thrown from the call itself.
 *
 * <p>Callbacks run on the thread that received the answer and must not block it. A blocking call of Holdfast inside one is
 * rejected. To block, continue with {@code thenApplyAsync} or the like.
 *
 * <p>Cancelling the future of an acquire ({@code stage.toCompletableFuture().cancel(false)}) stops waiting. A grant that arrives all the same is released.
 */
public interface AsyncLeases {
    /** @see Leases#tryAcquire(Key, AcquireOptions) */
    CompletionStage<AcquireResult> tryAcquire(Key key, AcquireOptions options);

    /** @see Leases#acquire(Key, AcquireOptions, Duration) */
    CompletionStage<AcquireResult> acquire(Key key, AcquireOptions options, Duration wait);

    /** @see Leases#anchor */
    CompletionStage<Anchor> anchor(String holder, Duration term);

    /** @see Leases#renew(Key, Token, RenewOptions) */
    CompletionStage<RenewResult> renew(Key key, Token token, RenewOptions options);

    /** @see Leases#release */
    CompletionStage<Boolean> release(Key key, Token token);

    /** @see Leases#releaseTo */
    CompletionStage<Boolean> releaseTo(Key key, Token token, String next);

    /** @see Leases#done */
    CompletionStage<Void> done(Key key, Token token, AttributePatch patch);

    /** @see Leases#update */
    CompletionStage<Void> update(Key key, Token token, AttributePatch patch);

    /** @see Leases#reopen */
    CompletionStage<EditResult> reopen(Key key);

    /** @see Leases#delete(Key) */
    CompletionStage<EditResult> delete(Key key, @Nullable Token token);

    /** @see Leases#evict */
    CompletionStage<EditResult> evict(Key key, String reason);

    /** @see Leases#evict(Key, String, Holder) */
    CompletionStage<EditResult> evict(Key key, String reason, Holder actor);

    /** @see Leases#get */
    CompletionStage<Optional<LeaseStatus>> get(Key key);

    /** @see Leases#explain */
    CompletionStage<LeaseExplanation> explain(Key key);

    /**
     * One page of a listing.
     *
     * @param cursor of the previous page; null for the first
     */
    CompletionStage<StatusPage> list(LeaseFilter filter, @Nullable String cursor, int limit);

    /** @see Leases#cleanUp */
    CompletionStage<Long> cleanUp(CleanUpOptions options);

    /**
     * Some keys.
     *
     * @param cursor where the next page begins; null after the last. A page may have a cursor and no keys.
     */
    record StatusPage(List<LeaseStatus> statuses, @Nullable String cursor) {}
}
