package dev.holdfast.server.operations;

/** A value that is built from files, and rebuilt when they change. */
public interface ReloadableValue {
    /** Checks the files for changes. Called every two seconds, by one thread. */
    void look();
}
