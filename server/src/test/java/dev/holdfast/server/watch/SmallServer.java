package dev.holdfast.server.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.proto.v1.LeasesGrpc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** A server with a small heap, in a process of its own, which exits when that heap is exhausted. */
final class SmallServer implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final int port;

    SmallServer(String store, String heap) throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallServerMain.class.getName(),
                        store))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        port = (int) answer("port ");
    }

    private long answer(String prefix) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(prefix)) {
                return Long.parseLong(line.substring(prefix.length()));
            }
        }
        throw new AssertionError("the server has ended");
    }

    /** Bytes of heap in use after a collection. */
    long usedBytes() {
        try {
            OutputStream questions = process.getOutputStream();
            questions.write('\n');
            questions.flush();
            return answer("used ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    WebClient http() {
        return WebClient.of("http://127.0.0.1:" + port);
    }

    <T extends io.grpc.stub.AbstractStub<T>> T stub(Class<T> type, ClientFactory connections) {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                .factory(connections)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(type);
    }

    LeasesGrpc.LeasesBlockingStub leases() {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                .responseTimeoutMillis(60_000)
                .build(LeasesGrpc.LeasesBlockingStub.class);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
