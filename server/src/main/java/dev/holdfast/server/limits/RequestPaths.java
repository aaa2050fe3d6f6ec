package dev.holdfast.server.limits;

import java.util.function.Predicate;

/**
 * The paths that have limits of their own.
 *
 * @param endless streams of messages, which go on for as long as their client likes
 * @param always what is answered however much there is to do, and at once: a busy server must not be mistaken for a dead one
 * @param health calls about health that need no authentication, and may last
 */
public record RequestPaths(Predicate<String> endless, Predicate<String> always, Predicate<String> health) {}
