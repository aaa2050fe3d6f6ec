package dev.holdfast.cli.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Base class of a command: its options, its help text and its action.
 *
 * <p>Options are declared with picocli's programmatic model, not with annotations. Reading annotations would take as
 * long at each start as an empty JVM does (docs/adr/0009).
 */
public abstract class CliCommand {
    private final CommandSpec spec;

    /**
     * @param name the name of the command, after the name of its group: {@code fleet join}
     * @param synopsis the arguments shown after the name of the command in its usage line
     */
    protected CliCommand(String name, String synopsis, String header) {
        this.spec = CommandSpec.wrapWithoutInspection(this).name(name.substring(name.lastIndexOf(' ') + 1));
        String space = synopsis.isEmpty() ? "" : " ";
        spec.usageMessage()
                .header(header)
                .customSynopsis("holdfast " + name + " [OPTIONS]" + space + synopsis)
                .parameterListHeading("%n")
                .optionListHeading("%nOptions:%n")
                .sortOptions(false);
    }

    /** Runs the command and returns the exit code. Throws {@link CommandFailure} or an exception of the library. */
    public abstract int run(CommandContext context) throws Exception;

    /** Whether the command runs until it is stopped, and therefore writes a log. */
    public boolean isService() {
        return false;
    }

    /** Whether a launcher starts the command under its own name, so that messages call it by that name. */
    public boolean isStandalone() {
        return false;
    }

    public final CommandSpec spec() {
        return spec;
    }

    /** Sets the description, which the help shows above the options. */
    protected final void describe(String... lines) {
        spec.usageMessage().descriptionHeading("%n").description(lines);
    }

    /** Adds examples that users can copy, below the options. */
    protected final void examples(String... lines) {
        spec.usageMessage().footerHeading("%nExamples:%n").footer(indented(lines));
    }

    /** Lists, below the examples, the IAM actions that the command needs on a DynamoDB store. */
    protected final void onDynamo(String... actions) {
        List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
        footer.add("");
        footer.add("IAM actions required on DynamoDB:");
        List.of(actions).forEach(action -> footer.add("  dynamodb:" + action));
        spec.usageMessage().footer(footer.toArray(String[]::new));
    }

    private static String[] indented(String... lines) {
        String[] indented = new String[lines.length];
        for (int i = 0; i < lines.length; i++) {
            indented[i] = "  " + lines[i].replace("%", "%%"); // picocli treats each line as a format string
        }
        return indented;
    }
}
