package dev.holdfast.cli;

/**
 * Start-up settings that switch off unneeded work in libraries. docs/performance.md lists the time that each one saves.
 */
final class StartUp {
    private StartUp() {}

    /** Must be called before any of the libraries is used. */
    static void lighten() {
        // picocli would search for Groovy and open every jar for it.
        System.setProperty("picocli.disable.closures", "true");
        // SQLite's driver creates a date format for each connection, for which the JVM would load the data of all
        // locales. No output here depends on a locale, so the built-in data is enough.
        if (System.getProperty("java.locale.providers") == null) {
            System.setProperty("java.locale.providers", "FALLBACK");
        }
    }
}
