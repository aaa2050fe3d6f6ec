package dev.holdfast.mutants;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The comparison of a run with the list of survivors.
 *
 * @param unexplained survivors that are not in the list
 * @param outdated entries of the list that no longer survive, of the classes that were changed
 */
record SurvivorCheck(List<Mutant> unexplained, List<KnownSurvivor> outdated) {
    static SurvivorCheck of(List<Mutant> mutants, List<KnownSurvivor> known) {
        List<KnownSurvivor> left = new ArrayList<>(known);
        List<Mutant> unexplained = new ArrayList<>();
        Set<String> classes = new HashSet<>();
        for (Mutant mutant : mutants) {
            classes.add(className(mutant.site()));
            if (mutant.fate().isUndetected() && !removeOne(left, mutant.site())) {
                unexplained.add(mutant);
            }
        }
        left.removeIf(it -> it.kind() == KnownSurvivor.Kind.CHANCE || !classes.contains(className(it.site())));
        return new SurvivorCheck(unexplained, left);
    }

    private static boolean removeOne(List<KnownSurvivor> survivors, MutantSite site) {
        for (int i = 0; i < survivors.size(); i++) {
            if (survivors.get(i).site().equals(site)) {
                survivors.remove(i);
                return true;
            }
        }
        return false;
    }

    private static String className(MutantSite site) {
        return site.place().substring(0, site.place().lastIndexOf('.'));
    }
}
