package dev.holdfast.cli.child;

import java.time.Duration;

/**
 * Rules for the end of a command under a lease.
 *
 * @param grace the time between SIGTERM and SIGKILL
 * @param waitsForDescendants whether the lease is kept until all processes that the command started have ended, too
 * @param settles whether to wait briefly for a stop signal that was sent before the command ended
 */
public record ChildEndRules(Duration grace, boolean waitsForDescendants, boolean settles) {}
