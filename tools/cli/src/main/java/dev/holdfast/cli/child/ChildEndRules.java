package dev.holdfast.cli.child;

import java.time.Duration;

/**
 * How a command under a lease comes to its end.
 *
 * @param grace how long after SIGTERM comes SIGKILL
 * @param waitsForDescendants whether the lease is kept until all that the command started has ended, too
 * @param settles whether the caller must know of every stop signal that was sent before the command ended
 */
public record ChildEndRules(Duration grace, boolean waitsForDescendants, boolean settles) {}
