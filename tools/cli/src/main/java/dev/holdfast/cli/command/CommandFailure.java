package dev.holdfast.cli.command;

import org.jspecify.annotations.Nullable;

/** Failure that ends the command with an exit code and a one-line message. The message says what to do next. */
public final class CommandFailure extends RuntimeException {
    private final int exitCode;

    public CommandFailure(int exitCode, String message) {
        this(exitCode, message, null);
    }

    public CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Failure for an invalid command line. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(ExitCode.USAGE, message);
    }

    public int exitCode() {
        return exitCode;
    }
}
