package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.TerminalInfo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Training run for the JVM's class-data archive: executes typical commands so that the JVM records the classes they
 * load. The launcher runs it in a temporary folder. The quality of the run affects only the speed of later starts.
 */
public final class ArchiveTraining {
    private final Map<String, String> environment;

    private ArchiveTraining(Path folder) {
        this.environment = Map.of(
                "HOLDFAST_STORE", "sqlite:" + folder.resolve("training.db"), "XDG_CONFIG_HOME", folder.toString());
    }

    /**
     * Arguments: a folder to work in, which the caller removes, and optionally {@code common}. With {@code common}, only
     * frequent commands are run. It is for JVMs that load every recorded class at each start: rarely used classes would
     * slow the start down.
     */
    public static void main(String[] args) {
        Main.lighten();
        ArchiveTraining training = new ArchiveTraining(Path.of(args[0]).toAbsolutePath());
        training.common();
        if (!List.of(args).contains("common")) {
            training.rest();
        }
        // Library threads may still be running; without exit() the user would wait for them.
        System.exit(ExitCode.OK);
    }

    private void common() {
        holdfast("version");
        String token = holdfast("acquire", "a", "--no-wait", "--term", "15m", "--attr", "k=v");
        holdfast("acquire", "a", "--no-wait");
        holdfast("renew", "a", token);
        holdfast("show", "a");
        holdfast("ls");
        holdfast("release", "a", token);
        holdfast("run", "c", "--", "true");
    }

    private void rest() {
        holdfast("done", "b", holdfast("acquire", "b", "--wait", "1s"));
        String token = holdfast("acquire", "b", "--json");
        holdfast("set", "a", token, "k=w");
        holdfast("ls", "--status", "all", "--json");
        holdfast("once", "d", "--", "true");
        holdfast("fleet", "units", "e", "add", "f");
        holdfast("fleet", "status", "e");
        holdfast("acquire", "--help");
        holdfast("aquire");
        // No server listens there, but the attempt to connect loads all classes.
        holdfast("show", "a", "--store", "postgresql://nobody:nothing@127.0.0.1:1/none?timeout=1s");
        System.setProperty("aws.accessKeyId", "nobody");
        System.setProperty("aws.secretAccessKey", "nothing");
        holdfast("show", "a", "--store", "dynamodb://none?region=us-east-1&endpoint=http://127.0.0.1:1");
    }

    /** Runs a command and returns its output. */
    private String holdfast(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, UTF_8);
        new CommandRunner(new CommandConsole(stream, System.err, environment, new TerminalInfo(""))).run(args);
        return out.toString(UTF_8).strip();
    }
}
