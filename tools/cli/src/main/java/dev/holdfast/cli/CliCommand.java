package dev.holdfast.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/**
 * One command: what it understands, and what it does.
 *
 * <p>Options are declared with picocli's model, not with its annotations: reading annotations costs each start as much as
 * an empty JVM does (docs/adr/0009).
 */
public abstract class CliCommand {
    private final CommandSpec spec;

    /** @param synopsis what follows the name of the command */
    protected CliCommand(String name, String synopsis, String header) {
        this.spec = CommandSpec.wrapWithoutInspection(this).name(name);
        String space = synopsis.isEmpty() ? "" : " ";
        spec.usageMessage()
                .header(header)
                .customSynopsis("holdfast " + name + " [OPTIONS]" + space + synopsis)
                .parameterListHeading("%n")
                .optionListHeading("%nOptions:%n")
                .sortOptions(false);
    }

    /** Does it. Returns the exit code; throws {@link CommandFailure} or what the library throws. */
    public abstract int run(CommandContext commandContext) throws Exception;

    /** Whether it runs until it is told to end, and so has a log. */
    public boolean isService() {
        return false;
    }

    public final CommandSpec spec() {
        return spec;
    }

    /** What it is for, in a few sentences. */
    protected final void describe(String... lines) {
        spec.usageMessage().descriptionHeading("%n").description(lines);
    }

    /** Below the options: examples that can be copied. */
    protected final void examples(String... lines) {
        spec.usageMessage().footerHeading("%nExamples:%n").footer(indented(lines));
    }

    /** Below the examples: the IAM actions that it needs where the store is in DynamoDB. */
    protected final void onDynamo(String... actions) {
        List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
        footer.add("");
        footer.add("On DynamoDB it needs these IAM actions:");
        List.of(actions).forEach(action -> footer.add("  dynamodb:" + action));
        spec.usageMessage().footer(footer.toArray(String[]::new));
    }

    private static String[] indented(String... lines) {
        String[] indented = new String[lines.length];
        for (int i = 0; i < lines.length; i++) {
            indented[i] = "  " + lines[i].replace("%", "%%"); // picocli formats them
        }
        return indented;
    }
}
