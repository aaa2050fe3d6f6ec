package dev.holdfast.server.reload;

/** A value that is made of files, and made again when they change. */
public interface Reloadable {
    /** Looks at the files. Called every two seconds, by one thread. */
    void look();
}
