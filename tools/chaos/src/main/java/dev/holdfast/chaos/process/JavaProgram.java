package dev.holdfast.chaos.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a Java program on the class path of this process. */
final class JavaProgram {
    private JavaProgram() {}

    static List<String> command(String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }
}
