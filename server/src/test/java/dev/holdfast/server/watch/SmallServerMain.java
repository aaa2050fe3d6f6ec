package dev.holdfast.server.watch;

import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A server with the default limits in a process of its own; the argument is the store's URL. It prints its port,
 * responds to every line of input with the used heap in bytes after a collection, and ends with its input.
 */
public final class SmallServerMain {
    private SmallServerMain() {}

    public static void main(String[] args) throws IOException {
        EdgeServer server = EdgeServer.with(
                new ServerPerimeter(PerimeterOptions.builder().build()), builder -> builder.store(args[0]));
        System.out.println("port " + server.port());
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (questions.readLine() != null) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            System.out.println("used " + (runtime.totalMemory() - runtime.freeMemory()));
        }
        server.close();
        System.exit(0);
    }
}
