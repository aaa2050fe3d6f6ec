package dev.holdfast.cli;

/** Facts known at build time. They are constants, because reading a resource would open a jar at every start. */
public final class BuildInfo {
    public static final String VERSION = "${project.version}";

    private BuildInfo() {}
}
