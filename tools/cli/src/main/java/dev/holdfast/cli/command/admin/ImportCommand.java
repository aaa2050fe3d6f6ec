package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.importing.ImportExecution;
import dev.holdfast.cli.importing.ImportReport;
import dev.holdfast.cli.importing.ImportedTool;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportSource;

/** {@code import}: imports the data of another tool. */
public final class ImportCommand extends CliCommand {
    private final CliOption<String> tool = CliOption.word(spec(), 0, ImportedTool.words(), "The tool to import from.");
    private final CliOption<String> url = CliOption.positional(
            spec(),
            1,
            "URL",
            "Location of its data: postgresql://USER@HOST/DATABASE for accord, dynamodb://TABLE for the others. Use - to"
                    + " read it from stdin: arguments are visible to all users of the machine.");
    private final CliOption<Boolean> dryRun =
            CliOption.flag(spec(), "Read all rows and report the result, but write nothing.", "--dry-run");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

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
    public int run(CommandContext commandContext) {
        ImportedTool from = ImportedTool.named(tool.or(""));
        String where = KeyArguments.orFirstLine(url.or(""));
        commandContext.console().hide(where);
        boolean dry = dryRun.or(false);
        try (ImportReport report = new ImportReport(commandContext.console(), from, dry)) {
            ImportExecution work = new ImportExecution(
                    commandContext.settings().store(), commandContext.settings().owner(), report);
            try (ImportSource source =
                    from.open(where, commandContext.settings().namespace())) {
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
