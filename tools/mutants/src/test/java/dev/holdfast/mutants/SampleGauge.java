package dev.holdfast.mutants;

/** A class with mutants of every fate, see {@link MutationRunTest}. */
final class SampleGauge {
    /** Any change of the result is found. */
    int doubled(int value) {
        return value * 2;
    }

    /** The larger one, which is either of them if they are equal. */
    int larger(int first, int second) {
        return first > second ? first : second;
    }

    /** The next multiple of three. It is searched for ever if {@link #isMultiple} is always false. */
    int next(int value) {
        int next = value;
        while (!isMultiple(next)) {
            next = Math.addExact(next, 1) & 0xff;
        }
        return next;
    }

    boolean isMultiple(int value) {
        return value % 3 == 0;
    }

    boolean isUntested() {
        return true;
    }
}
