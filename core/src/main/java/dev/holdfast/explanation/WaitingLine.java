package dev.holdfast.explanation;

import dev.holdfast.Holder;
import java.time.Duration;
import java.util.List;

/**
 * The clients that wait for a key through one client or server, in the order in which they will be granted it.
 *
 * @param total how many wait
 * @param first the first of them, at most {@link #SHOWN}
 */
public record WaitingLine(int total, List<WaitingClient> first) {
    /** No client waits here. */
    public static final WaitingLine EMPTY = new WaitingLine(0, List.of());

    /** The most that one answer names: a line can have thousands. */
    public static final int SHOWN = 50;

    public WaitingLine {
        first = List.copyOf(first);
    }

    /**
     * A client that waits.
     *
     * @param waited since it began to wait
     * @param patience how much longer it will wait
     */
    public record WaitingClient(Holder holder, Duration waited, Duration patience) {}
}
