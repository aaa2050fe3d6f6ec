package dev.holdfast.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The list of survivors in the repository. Blocks are separated by empty lines. Each names one survivor by three lines, and explains
 * it from the fourth line on:
 *
 * <pre>
 * FenceRules.micros
 * negated conditional
 * return Math.max(0, ChronoUnit.MICROS.between(Instant.EPOCH, time));
 * equivalent: ...
 * </pre>
 *
 * Two survivors on one line with the same description have two blocks. A block whose first line begins with {@code #} is a comment.
 */
final class SurvivorList {
    private static final int SITE_LINES = 3;
    private static final Pattern EMPTY_LINES = Pattern.compile("\\n\\s*\\n");

    private SurvivorList() {}

    static List<KnownSurvivor> read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    static List<KnownSurvivor> parse(String text) {
        List<KnownSurvivor> survivors = new ArrayList<>();
        for (String block : EMPTY_LINES.split(text.strip(), -1)) {
            if (!block.isBlank() && !block.stripLeading().startsWith("#")) {
                survivors.add(survivor(block));
            }
        }
        return survivors;
    }

    private static KnownSurvivor survivor(String block) {
        List<String> lines = block.lines().map(String::strip).toList();
        if (lines.size() <= SITE_LINES) {
            throw bad(block, "place, change, source and explanation");
        }
        String reason = String.join(" ", lines.subList(SITE_LINES, lines.size()));
        int colon = reason.indexOf(':');
        String kind = reason.substring(0, Math.max(0, colon)).toUpperCase(Locale.ROOT);
        String explanation = reason.substring(colon + 1).strip();
        boolean isKind = Arrays.stream(KnownSurvivor.Kind.values())
                .anyMatch(it -> it.name().equals(kind));
        if (!isKind || explanation.isEmpty()) {
            throw bad(block, "equivalent, cost, message, chance or gap, a colon and an explanation");
        }
        MutantSite site = new MutantSite(lines.get(0), lines.get(1), lines.get(2));
        return new KnownSurvivor(site, KnownSurvivor.Kind.valueOf(kind), explanation);
    }

    private static IllegalArgumentException bad(String block, String expected) {
        return new IllegalArgumentException("survivor: " + block + " (expected: " + expected + ")");
    }

    /** A survivor as it stands in the list, without an explanation. */
    static String block(Mutant mutant) {
        MutantSite site = mutant.site();
        return site.place() + "\n" + site.change() + "\n" + site.source();
    }
}
