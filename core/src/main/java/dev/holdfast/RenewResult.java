package dev.holdfast;

import java.time.Duration;

/**
 * The answer to a renewal by token.
 *
 * @param token the proof of the lease from now on: the same as before, except in layouts whose token changes
 * @param remaining how long it may be believed from now; zero if the answer came too late to believe it at all, or if the
 *     lease is held through an anchor, whose renewals alone prolong it
 */
public record RenewResult(Token token, Duration remaining) {}
