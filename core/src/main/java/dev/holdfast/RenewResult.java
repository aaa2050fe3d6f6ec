package dev.holdfast;

import java.time.Duration;

/**
 * The answer to a renewal by token.
 *
 * @param token the proof of the lease from now on: the same as before, except in layouts whose token changes
 * @param remaining the time from now for which the holder may rely on it; zero if the answer came too late, or if the lease is held
 *     through an anchor: only the renewals of the anchor prolong it
 */
public record RenewResult(Token token, Duration remaining) {}
