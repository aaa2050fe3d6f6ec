package dev.holdfast.fleet.internal;

/** How often a unit has failed here in a row, and until when it rests for that. */
final class Fatigue {
    private final Post post;
    private int failures;
    private long restsUntilNanos;

    Fatigue(Post post) {
        this.post = post;
    }

    void failed() {
        failures++;
        restsUntilNanos = post.nanos() + post.rest(failures).toNanos();
    }

    void recovered() {
        failures = 0;
    }

    boolean isAny() {
        return failures > 0;
    }

    boolean isRested() {
        return failures == 0 || post.nanos() - restsUntilNanos >= 0;
    }
}
