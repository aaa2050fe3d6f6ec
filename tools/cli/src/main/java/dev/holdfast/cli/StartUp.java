package dev.holdfast.cli;

/** Keeps libraries from doing at every start what is of no use here. docs/performance.md has what each of these saves. */
final class StartUp {
    private StartUp() {}

    /** Before any of them is used. */
    static void lighten() {
        // picocli looks for Groovy, and so opens every jar.
        System.setProperty("picocli.disable.closures", "true");
        // SQLite's driver makes a date format with each connection. Nothing here is said in the language of a locale,
        // so the
        // JVM need not read the data of all of them for it: what is built in will do.
        if (System.getProperty("java.locale.providers") == null) {
            System.setProperty("java.locale.providers", "FALLBACK");
        }
    }
}
