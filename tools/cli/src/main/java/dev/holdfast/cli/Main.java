package dev.holdfast.cli;

import dev.holdfast.cli.output.CliConsole;

/** Main class of the {@code holdfast} process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        StartUp.lighten();
        CliConsole cliConsole = CliConsole.ofProcess();
        int exitCode = new CommandRunner(cliConsole).run(args);
        cliConsole.flush();
        System.exit(exitCode);
    }
}
