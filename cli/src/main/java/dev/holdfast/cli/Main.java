package dev.holdfast.cli;

import dev.holdfast.cli.output.Console;

/** Where the process begins and ends. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        StartUp.lighten();
        Console console = Console.ofProcess();
        int exitCode = new Cli(console).run(args);
        console.flush();
        System.exit(exitCode);
    }
}
