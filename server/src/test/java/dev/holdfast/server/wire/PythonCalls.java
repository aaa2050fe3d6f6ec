package dev.holdfast.server.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import com.google.rpc.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Calls of Python's gRPC client, which shares its core with C++, Ruby and others: Debian's {@code python3-grpcio}. */
public final class PythonCalls implements AutoCloseable {
    private static final String PYTHON = "/usr/bin/python3";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final BufferedReader output;

    /** How a call is made. */
    public enum Mode {
        UNARY,
        SERVER,
        /** A stream of requests that stays open without sending one. */
        SILENT,
        /** A stream of requests that stays open after sending the first. */
        OPEN
    }

    /**
     * The end of a call.
     *
     * @param details as sent by the server; empty if it sent none
     */
    public record End(String code, String message, Status details) {}

    public PythonCalls(int port) throws IOException {
        process = new ProcessBuilder(PYTHON, script().toString(), String.valueOf(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** A copy of the script, because its resource may be in a jar. */
    private static Path script() throws IOException {
        Path script = Files.createTempFile("grpc_calls", ".py");
        script.toFile().deleteOnExit();
        try (InputStream in = PythonCalls.class.getResourceAsStream("grpc_calls.py")) {
            Files.write(script, Objects.requireNonNull(in).readAllBytes());
        }
        return script;
    }

    /** Skips the test with a message if the client is not installed. */
    public static void assumeInstalled(Class<?> test) {
        if (!isInstalled()) {
            String skipped = test.getSimpleName()
                    + " IS SKIPPED: python3-grpcio is not installed (Debian: apt-get install python3-grpcio)";
            System.err.println(skipped);
            abort(skipped);
        }
    }

    private static boolean isInstalled() {
        try {
            Process check = new ProcessBuilder(PYTHON, "-c", "import grpc")
                    .redirectErrorStream(true)
                    .start();
            return check.waitFor(60, TimeUnit.SECONDS) && check.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes the same call several times, one after the other. */
    public List<End> call(String path, Mode mode, Message request, Map<String, String> metadata, int times)
            throws IOException {
        ObjectNode asked = JSON.createObjectNode()
                .put("path", path)
                .put("mode", mode.name().toLowerCase(java.util.Locale.ROOT))
                .put("request", Base64.getEncoder().encodeToString(request.toByteArray()))
                .put("times", times);
        asked.set("metadata", JSON.valueToTree(metadata));
        process.getOutputStream().write((JSON.writeValueAsString(asked) + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
        List<End> ends = new ArrayList<>();
        for (JsonNode end : JSON.readTree(Objects.requireNonNull(output.readLine(), "the program ended"))) {
            byte[] details = Base64.getDecoder().decode(end.path("details").asText());
            ends.add(new End(end.path("code").asText(), end.path("message").asText(), Status.parseFrom(details)));
        }
        return ends;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
