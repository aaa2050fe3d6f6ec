package dev.holdfast.bench;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.accord.AccordWire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A Holdfast server in a process of its own. It ends with its standard input, so with whoever started it. */
final class ServerProcess implements AutoCloseable {
    private static final String LISTENING = "listening ";

    private final Process process;
    private final int port;

    private ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static ServerProcess start(String store) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), ServerProcess.class.getName(), store)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(LISTENING)) {
                return new ServerProcess(process, Integer.parseInt(line.substring(LISTENING.length())));
            }
        }
        throw new IOException("the server did not start");
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** The server itself. */
    public static void main(String[] arguments) throws IOException {
        HoldfastServer server = HoldfastServer.builder()
                .store(arguments[0])
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .with(new AccordWire())
                .build();
        server.start();
        System.out.println(LISTENING + server.address().getPort());
        System.in.readAllBytes();
        server.close();
        System.exit(0);
    }
}
