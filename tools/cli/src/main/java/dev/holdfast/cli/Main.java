package dev.holdfast.cli;

import dev.holdfast.cli.output.CliConsole;

/** Where the process begins and ends. */
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
