package dev.holdfast.bench.contender;

/** A service that opens the contenders of one class path. */
public interface ContenderFactory {
    /** Opens the client that the settings name; a process may open several. */
    LockContender open(ContenderSettings settings) throws Exception;
}
