package dev.holdfast.cli;

import dev.holdfast.cli.output.CommandConsole;

/** Main class of the {@code holdfast} process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        lighten();
        CommandConsole console = CommandConsole.ofProcess();
        int exitCode = new CommandRunner(console).run(args);
        console.flush();
        // A process that a signal ends has the exit code of the signal. In its last moment, another exit would overtake
        // it.
        if (!FailureReport.isProcessEnding()) {
            System.exit(exitCode);
        }
    }

    /**
     * Switches off unneeded work in libraries. Must be called before any of them is used. docs/performance.md lists the
     * time that each setting saves.
     */
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
