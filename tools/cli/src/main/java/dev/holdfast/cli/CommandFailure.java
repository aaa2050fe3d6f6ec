package dev.holdfast.cli;

import org.jspecify.annotations.Nullable;

/** Ends the command with an exit code and one line for people, which says what to do next. */
public final class CommandFailure extends RuntimeException {
    private final int exitCode;

    public CommandFailure(int exitCode, String message) {
        this(exitCode, message, null);
    }

    public CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The command line was not understood. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(ExitCode.USAGE, message);
    }

    public int exitCode() {
        return exitCode;
    }
}
