package dev.holdfast.bench.servers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The class paths of the opponents' modules, as the build wrote them.
 *
 * @param modules the folder of the modules
 */
public record ClassPaths(Path modules) {
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
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
