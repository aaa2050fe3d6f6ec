package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.cli.output.TerminalInfo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Does what users do, so that the JVM can note which classes that takes, for its archive. Run by the launcher in a folder
 * of its own; how well it does decides how fast every later start is, and nothing else.
 */
public final class ArchiveTraining {
    private final Map<String, String> environment;

    private ArchiveTraining(Path folder) {
        this.environment = Map.of(
                "HOLDFAST_STORE", "sqlite:" + folder.resolve("training.db"), "XDG_CONFIG_HOME", folder.toString());
    }

    /**
     * Args: a folder to work in, which the caller removes; then {@code common}, if the JVM will load at every start all that is
     * noted here, so that what is rarely used had better not be.
     */
    public static void main(String[] args) throws ClassNotFoundException {
        StartUp.lighten();
        // This class is not the one that users start.
        Class.forName(Main.class.getName());
        ArchiveTraining archiveTraining = new ArchiveTraining(Path.of(args[0]).toAbsolutePath());
        archiveTraining.common();
        if (!List.of(args).contains("common")) {
            archiveTraining.rest();
        }
        // Not by itself: threads that libraries left behind would keep the user waiting.
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
        // Nobody is there, but all classes are loaded on the way to finding that out.
        holdfast("show", "a", "--store", "postgresql://nobody:nothing@127.0.0.1:1/none?timeout=1s");
        System.setProperty("aws.accessKeyId", "nobody");
        System.setProperty("aws.secretAccessKey", "nothing");
        holdfast("show", "a", "--store", "dynamodb://none?region=us-east-1&endpoint=http://127.0.0.1:1");
    }

    /** Returns what was printed. */
    private String holdfast(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, UTF_8);
        new CommandRunner(new CliConsole(stream, System.err, environment, new TerminalInfo(""))).run(args);
        return out.toString(UTF_8).strip();
    }
}
