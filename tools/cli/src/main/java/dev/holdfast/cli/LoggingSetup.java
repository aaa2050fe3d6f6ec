package dev.holdfast.cli;

/**
 * Logging configuration, applied before the first log call: no logging, or with {@code -v} a line on stderr for each
 * warning. The provider is set by property, because a class path search for it takes longer than acquiring a lease.
 */
final class LoggingSetup {
    private LoggingSetup() {}

    /** @param service whether the command is long-running: then it logs, and with {@code -v} a line for each request */
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
