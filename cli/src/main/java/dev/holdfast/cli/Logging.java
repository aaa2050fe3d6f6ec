package dev.holdfast.cli;

/**
 * Says which logging there is, before anything logs: none, or with {@code -v} a line on stderr for each warning. Named
 * by property, as a search of the class path for it takes longer than a lease.
 */
final class Logging {
    private Logging() {}

    static void configure(boolean verbose) {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        if (verbose) {
            System.setProperty("slf4j.provider", "org.slf4j.simple.SimpleServiceProvider");
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "info");
            System.setProperty("org.slf4j.simpleLogger.showThreadName", "false");
        } else {
            System.setProperty("slf4j.provider", "org.slf4j.nop.NOPServiceProvider");
        }
    }
}
