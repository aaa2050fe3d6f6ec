package dev.holdfast.bench.contender;

import java.time.Duration;

/**
 * The settings of a contender.
 *
 * @param opponent the name in the list of opponents
 * @param url the address of the server, or the URL of the store
 * @param worker the name of this client
 * @param term the time after which the lock of a dead holder is free
 * @param holding whether the client holds many locks for long, and should use its way to do so
 */
public record ContenderSettings(String opponent, String url, String worker, Duration term, boolean holding) {
    public ContenderSettings {
        if (term.isNegative() || term.isZero()) {
            throw new IllegalArgumentException("term: " + term + " (expected: > 0)");
        }
    }

    /** A further client in the same process. */
    ContenderSettings holding(String newWorker) {
        return new ContenderSettings(opponent, url, newWorker, term, true);
    }

    public IllegalArgumentException unknown() {
        return new IllegalArgumentException("opponent: " + opponent + " (not on this class path)");
    }
}
