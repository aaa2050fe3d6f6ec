package dev.holdfast.cli.command;

/** Exit codes of the command. Scripts depend on these numbers: they never change. */
public final class ExitCode {
    public static final int OK = 0;

    /** An error that the caller did not cause. */
    public static final int ERROR = 1;

    /** The command line, or a value in it, is invalid. */
    public static final int USAGE = 2;

    /** Held by another holder, or no longer held by the caller. */
    public static final int HELD = 3;

    /** Already done. */
    public static final int DONE = 4;

    /** The lease was lost while the command ran under it. */
    public static final int LOST = 5;

    /** The command to run is not executable, or does not exist: the same codes as in shells. */
    public static final int NOT_EXECUTABLE = 126;

    public static final int NOT_FOUND = 127;

    /** Added to the number of the signal that ended a process, as shells do. */
    public static final int SIGNAL_BASE = 128;

    private ExitCode() {}
}
