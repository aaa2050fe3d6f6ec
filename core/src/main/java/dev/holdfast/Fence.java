package dev.holdfast;

import dev.holdfast.support.ArgumentCheck;

/**
 * A number that strictly grows with every grant of a key, for ever. Pass it to the resource that the lease protects,
 * and let the resource reject a number smaller than the largest it has seen. Then a holder that was paused past its term can do
 * no harm.
 */
public record Fence(long value) implements Comparable<Fence> {
    /** Of a key that was never granted; smaller than every granted fence. */
    public static final Fence NONE = new Fence(0);

    public Fence {
        if (value < 0) {
            throw ArgumentCheck.bad("fence", value, ">= 0");
        }
    }

    public static Fence of(long value) {
        return new Fence(value);
    }

    public boolean isAbove(Fence other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Fence other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
