package dev.holdfast.bench.servers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands that start Java programs on the class paths of the opponents' modules, as the build wrote them.
 *
 * @param modules the folder of the modules
 * @param flags for every JVM
 */
public record ClassPaths(Path modules, List<String> flags) {
    public ClassPaths {
        flags = List.copyOf(flags);
    }

    /** A command that starts a main class. */
    public List<String> java(String classPath, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }

    /** The class path of a module's client. */
    public String client(String module) throws IOException {
        return read(module, "client.classpath");
    }

    /** The class path of the server of a module whose libraries are only for tests. */
    public String server(String module) throws IOException {
        return read(module, "server.classpath");
    }

    private String read(String module, String file) throws IOException {
        Path target = modules.resolve(module).resolve("target");
        Path list = target.resolve(file);
        if (!Files.exists(list)) {
            throw new IOException(list + " is missing (expected: the module was packaged)");
        }
        return target.resolve("classes")
                + File.pathSeparator
                + Files.readString(list).trim();
    }
}
