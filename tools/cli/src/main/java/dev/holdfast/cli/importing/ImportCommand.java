package dev.holdfast.cli.importing;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportSource;

/** {@code import}: imports the data of another tool. */
public final class ImportCommand extends CliCommand {
    private final CommandOption<String> tool =
            CommandOption.word(spec(), 0, ImportedTool.words(), "The tool to import from.");
    private final CommandOption<String> url = CommandOption.positional(
            spec(),
            1,
            "URL",
            "Location of its data: postgresql://USER@HOST/DATABASE for accord, dynamodb://TABLE for the others. Use - to"
                    + " read it from stdin: arguments are visible to all users of the machine.");
    private final CommandOption<Boolean> dryRun =
            CommandOption.flag(spec(), "Read all rows and report the result, but write nothing.", "--dry-run");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public ImportCommand() {
        super("import", "TOOL URL", "Import the data of another tool into the store.");
        describe(
                "Names that are done stay done, with their attributes and counters. Held names stay held until they expire."
                        + " Their holders can continue with their tokens if these are UUIDs.",
                "An entry that was changed in Holdfast is never overwritten. You can repeat the command at any time: it"
                        + " completes an interrupted import and copies changed rows. Run it first while the other tool is"
                        + " still in use, and a last time after the tool is stopped.",
                "Each row that is not imported is reported on stderr with the reason, and the exit code is 1.",
                "--namespace sets the namespace of keys from tables without namespaces.");
        examples(
                "holdfast import accord postgresql://accord@db/accord --store postgresql://app@db/app --dry-run",
                "holdfast import accord postgresql://accord@db/accord --store postgresql://app@db/app",
                "holdfast import kcl 'dynamodb://my-app?expire=10s' --store dynamodb://leases -n my-app");
        onDynamo("Scan", "GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) {
        ImportedTool from = ImportedTool.named(tool.or(""));
        String where = url.orStdin();
        context.console().hide(where);
        boolean dry = dryRun.or(false);
        try (ImportReport report = new ImportReport(context.console(), from, dry)) {
            ImportExecution work = new ImportExecution(
                    context.settings().store(), context.settings().owner(), report);
            try (ImportSource source = from.open(where, context.settings().namespace())) {
                if (report.wantsTotal()) {
                    report.total(source.count());
                }
                ImportCounts counts = dry ? work.preview(source) : work.write(source);
                report.print(counts, json.or(false));
                return counts.isComplete() ? ExitCode.OK : ExitCode.ERROR;
            }
        }
    }
}
