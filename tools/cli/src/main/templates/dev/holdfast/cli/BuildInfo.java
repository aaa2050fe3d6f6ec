package dev.holdfast.cli;

/** What the build knows. A constant, since to read a resource would mean to open a jar at every start. */
public final class BuildInfo {
    public static final String VERSION = "${project.version}";

    private BuildInfo() {}
}
