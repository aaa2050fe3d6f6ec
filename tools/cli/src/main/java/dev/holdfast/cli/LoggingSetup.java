package dev.holdfast.cli;

/**
 * Says which logging there is, before anything logs: none, or with {@code -v} a line on stderr for each warning. Named
 * by property, as a search of the class path for it takes longer than a lease.
 */
final class LoggingSetup {
    private LoggingSetup() {}

    /** @param service whether it runs for long: then it logs, and with {@code -v} a line for each request */
    static void configure(boolean verbose, boolean service) {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        if (verbose || service) {
            System.setProperty("slf4j.provider", "org.slf4j.simple.SimpleServiceProvider");
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", verbose ? "info" : "warn");
            System.setProperty("org.slf4j.simpleLogger.showThreadName", "false");
        } else {
            System.setProperty("slf4j.provider", "org.slf4j.nop.NOPServiceProvider");
        }
        if (service) {
            System.setProperty("org.slf4j.simpleLogger.log.dev.holdfast", verbose ? "debug" : "info");
            System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
            System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        }
    }
}
