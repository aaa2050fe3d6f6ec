package dev.holdfast.accord;

import com.google.protobuf.ByteString;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Token;
import dev.holdfast.store.Grant;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The lookup of a handle's key: accord's clients renew and finish by the id alone. Handles granted through this server
 * are cached. The store finds all others, granted elsewhere or long ago, by their token.
 */
final class HandleKeys {
    /** More handles than are likely to be held through one server; with keys of 100 bytes about 20 MB. */
    static final int KEPT = 65_536;

    /**
     * A token has one key, or a few after an old backup was restored. This is one page, except in stores that may
     * return empty pages.
     */
    private static final int PAGE = 100;

    private static final int ID_BYTES = 16;

    private final AsyncLeases leases;
    private final Map<Token, KnownGrant> known;

    /** The grant that a handle stands for. It has only the parts that never change, so it can be cached. */
    record KnownGrant(Key key, Token token, Holder owner) {}

    HandleKeys(AsyncLeases leases, int kept) {
        this.leases = leases;
        this.known = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Token, KnownGrant> eldest) {
                return size() > kept;
            }
        };
    }

    /** The id of a handle, which is the token of a grant as 16 bytes. */
    static ByteString id(Token token) {
        ByteBuffer bytes = ByteBuffer.allocate(ID_BYTES);
        bytes.putLong(token.id().getMostSignificantBits());
        bytes.putLong(token.id().getLeastSignificantBits());
        return ByteString.copyFrom(bytes.flip());
    }

    /** @throws io.grpc.StatusRuntimeException with accord's own message, if {@code id} is not a UUID */
    static Token token(ByteString id) {
        if (id.size() != ID_BYTES) {
            throw Status.INVALID_ARGUMENT.withDescription("invalid handle ID").asRuntimeException();
        }
        ByteBuffer bytes = id.asReadOnlyByteBuffer();
        return Token.of(new UUID(bytes.getLong(), bytes.getLong()));
    }

    static StatusRuntimeException invalid() {
        return Status.UNKNOWN.withDescription("accord: invalid handle").asRuntimeException();
    }

    synchronized void remember(KnownGrant handle) {
        known.putIfAbsent(handle.token(), handle);
    }

    private synchronized @Nullable KnownGrant recall(Token token) {
        return known.get(token);
    }

    /**
     * Finds a handle. Fails with {@link #invalid} if there is no such handle, or {@code owner} does not own it. Only
     * the store knows whether the handle still holds its key: another server may have finished it.
     */
    CompletionStage<KnownGrant> find(Token token, String owner) {
        KnownGrant seen = recall(token);
        CompletionStage<KnownGrant> found =
                seen != null ? CompletableFuture.completedFuture(seen) : lookUp(token, null);
        return found.thenApply(handle -> {
            if (!handle.owner().name().equals(owner)) {
                throw invalid();
            }
            return handle;
        });
    }

    private CompletionStage<KnownGrant> lookUp(Token token, @Nullable String cursor) {
        return leases.list(LeaseFilter.all().token(token), cursor, PAGE).thenCompose(page -> {
            for (LeaseStatus status : page.statuses()) {
                if (status.entry().isOf(token) && !status.key().isReserved()) {
                    return CompletableFuture.completedFuture(found(status, token));
                }
            }
            return page.cursor() == null ? CompletableFuture.failedFuture(invalid()) : lookUp(token, page.cursor());
        });
    }

    private KnownGrant found(LeaseStatus status, Token token) {
        Grant grant = Objects.requireNonNull(status.entry().grant());
        KnownGrant handle = new KnownGrant(status.key(), token, grant.holder());
        remember(handle);
        return handle;
    }
}
