package dev.holdfast.server.limits;

import java.util.function.Predicate;

/**
 * The paths that have limits of their own.
 *
 * @param endless streams of messages, which last as long as their client likes
 * @param always paths that are always served, and immediately: a busy server must not be mistaken for a dead one
 * @param health health calls that need no authentication and may last
 */
public record RequestPaths(Predicate<String> endless, Predicate<String> always, Predicate<String> health) {}
