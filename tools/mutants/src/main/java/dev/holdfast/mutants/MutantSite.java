package dev.holdfast.mutants;

import java.util.regex.Pattern;

/**
 * The place and kind of a change, in words that survive edits elsewhere in the class. If the changed line itself is edited, its
 * mutants have new sites, and must be explained again.
 *
 * @param place the class and the method
 * @param change pitest's description
 * @param source the changed line
 */
record MutantSite(String place, String change, String source) {
    private static final Pattern LAMBDA = Pattern.compile("lambda\\$(\\w+)\\$\\d+");
    private static final Pattern PACKAGES = Pattern.compile("\\b(?:[a-z0-9]+/)+");

    static MutantSite of(String className, String method, String description, String source) {
        String simpleName = className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
        String change = PACKAGES.matcher(plain(description)).replaceAll("").replace('$', '.');
        return new MutantSite(simpleName + "." + plain(method), change, source.strip());
    }

    /** The text without the numbers of lambdas, which change with every edit. */
    private static String plain(String text) {
        return LAMBDA.matcher(text).replaceAll("$1");
    }
}
