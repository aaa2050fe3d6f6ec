package dev.holdfast.bench.servers;

/** The absence of a program that an opponent needs; the message says how to install it. */
public final class MissingProgramException extends Exception {
    MissingProgramException(String program, String debianPackage) {
        super(program + " is not installed (Debian: apt-get install " + debianPackage + ")");
    }
}
