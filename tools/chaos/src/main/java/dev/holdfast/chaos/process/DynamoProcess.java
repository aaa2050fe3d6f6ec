package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** DynamoDB Local in a JVM of its own, with its tables in a file. It is on the class path of tests only. */
public final class DynamoProcess {
    /** Credentials that DynamoDB Local accepts, as it does all. */
    public static final Map<String, String> CREDENTIALS =
            Map.of("AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local");

    private static final String MAIN = "software.amazon.dynamodb.services.local.main.ServerRunner";

    private DynamoProcess() {}

    public static RestartableProcess start(Path folder, int port) throws IOException, InterruptedException {
        if (DynamoProcess.class.getClassLoader().getResource(MAIN.replace('.', '/') + ".class") == null) {
            throw new IOException("DynamoDB Local is not on the class path (expected: that of the tests)");
        }
        Path tables = Files.createDirectories(folder.resolve("tables"));
        RestartableProcess process = new RestartableProcess(
                "DynamoDB Local",
                JavaProgram.command(
                        MAIN,
                        "-dbPath",
                        tables.toAbsolutePath().toString(),
                        "-sharedDb",
                        "-disableTelemetry",
                        "-port",
                        String.valueOf(port)),
                Map.of(),
                folder.resolve("dynamodb.log"),
                () -> Readiness.accepts(port));
        process.start();
        return process;
    }
}
