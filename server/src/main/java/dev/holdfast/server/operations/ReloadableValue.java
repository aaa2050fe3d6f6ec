package dev.holdfast.server.operations;

/** A value that is made of files, and made again when they change. */
public interface ReloadableValue {
    /** Looks at the files. Called every two seconds, by one thread. */
    void look();
}
