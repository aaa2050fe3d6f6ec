package dev.holdfast.client;

import java.io.IOException;

/**
 * A server in its own process, with the arguments {@code STORE PORT}. It prints its port, and exits when its input
 * ends.
 */
public final class ServerMain {
    private ServerMain() {}

    public static void main(String[] args) throws IOException {
        TestServer server = TestServer.at(args[0], Integer.parseInt(args[1]));
        System.out.println("port " + server.port());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until the parent process is gone.
        }
        server.close();
        System.exit(0);
    }
}
