package dev.holdfast.mutants;

import java.util.List;
import java.util.Locale;

/**
 * The mutants of a package, and how many of them made a test fail.
 *
 * @param aim the least score in percent
 */
record PackageScore(String packageName, int detected, int total, int aim) {
    static PackageScore of(String packageName, int aim, List<Mutant> mutants) {
        List<Mutant> own = mutants.stream()
                .filter(it -> it.packageName().equals(packageName))
                .toList();
        int detected = (int) own.stream().filter(it -> it.fate().isDetected()).count();
        return new PackageScore(packageName, detected, own.size(), aim);
    }

    boolean isReached() {
        return 100L * detected >= (long) aim * total;
    }

    @Override
    public String toString() {
        double percent = total == 0 ? 100 : 100.0 * detected / total;
        return String.format(
                Locale.ROOT,
                "mutants: %s: %d of %d killed, %.1f %% (aim: %d %%), %d survived",
                packageName,
                detected,
                total,
                percent,
                aim,
                total - detected);
    }
}
