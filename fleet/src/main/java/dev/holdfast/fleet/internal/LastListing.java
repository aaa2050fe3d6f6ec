package dev.holdfast.fleet.internal;

import org.jspecify.annotations.Nullable;

/**
 * Whether what was listed last is still all there is. It is not if the mark was granted since, or was held when the
 * listing began; and after a long time it is listed again, in case a change was made without the mark.
 */
final class LastListing {
    private final Setup setup;
    private @Nullable Mark mark;
    private long nanos;

    LastListing(Setup setup) {
        this.setup = setup;
    }

    boolean isCurrent(Mark now) {
        return !now.held()
                && now.equals(mark)
                && setup.runtime().nanos() - nanos
                        < setup.options().relistEvery().toNanos();
    }

    /** @param before the mark as it was before the listing began */
    void listed(Mark before) {
        mark = before;
        nanos = setup.runtime().nanos();
    }
}
