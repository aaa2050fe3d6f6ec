package dev.holdfast.bench.servers;

import java.nio.file.Files;
import java.nio.file.Path;

/** A program of the system. */
final class DebianProgram {
    private DebianProgram() {}

    /** The path of the program. */
    static String find(String program, String debianPackage) throws MissingProgramException {
        for (String folder : System.getenv().getOrDefault("PATH", "/usr/bin").split(":", -1)) {
            Path file = Path.of(folder, program);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        throw new MissingProgramException(program, debianPackage);
    }
}
