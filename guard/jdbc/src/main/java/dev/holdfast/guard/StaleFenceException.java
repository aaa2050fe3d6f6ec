package dev.holdfast.guard;

import dev.holdfast.Fence;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import org.jspecify.annotations.Nullable;

/** The refusal of a write: the resource has seen a newer fence, so the writer has lost its lease. */
public final class StaleFenceException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    private final transient Fence fence;

    /** @param newest the newest fence that the resource has seen; null if it does not tell */
    public StaleFenceException(Key key, Fence fence, @Nullable Fence newest) {
        this(key, fence, newest, null);
    }

    /**
     * @param newest the newest fence that the resource has seen; null if it does not tell
     * @param cause the refusal, as the resource reported it; null if it only answered
     */
    public StaleFenceException(Key key, Fence fence, @Nullable Fence newest, @Nullable Throwable cause) {
        super(
                key,
                "fence " + fence.value() + " is too old"
                        + (newest == null ? "" : ", as the resource has seen " + newest.value())
                        + ": the lease was lost, and another holder was granted the key",
                cause);
        this.fence = fence;
    }

    /** The fence that was refused. */
    public Fence fence() {
        return fence;
    }
}
