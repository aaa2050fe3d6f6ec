package dev.holdfast.client;

import java.io.IOException;

/** A server in a process of its own: {@code STORE PORT}. Says its port, and ends when its input does. */
public final class ServerMain {
    private ServerMain() {}

    public static void main(String[] args) throws IOException {
        TestServer server = TestServer.at(args[0], Integer.parseInt(args[1]));
        System.out.println("port " + server.port());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until whoever started it is gone.
        }
        server.close();
        System.exit(0);
    }
}
