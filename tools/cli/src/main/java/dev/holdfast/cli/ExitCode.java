package dev.holdfast.cli;

/** What the command ends with. Scripts depend on these numbers: they never change. */
public final class ExitCode {
    public static final int OK = 0;

    /** Something went wrong that the caller did not cause. */
    public static final int ERROR = 1;

    /** The command line, or a value on it, was not understood. */
    public static final int USAGE = 2;

    /** Held by another, or no longer yours. */
    public static final int HELD = 3;

    /** Already done. */
    public static final int DONE = 4;

    /** The lease was lost while the command ran under it. */
    public static final int LOST = 5;

    /** What a shell makes of a command that cannot be run, and of one that is not there. */
    public static final int NOT_EXECUTABLE = 126;

    public static final int NOT_FOUND = 127;

    /** Added to the number of the signal that ended a process, as shells do. */
    public static final int SIGNAL_BASE = 128;

    private ExitCode() {}
}
