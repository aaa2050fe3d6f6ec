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

/** Imports the data of another tool. */
public final class ImportCommand extends CliCommand {
    private final CliOption<String> tool =
            CliOption.word(spec(), 0, ImportedTool.words(), "The tool whose data is imported.");
    private final CliOption<String> url = CliOption.positional(
            spec(),
            1,
            "URL",
            "Where its data is: postgresql://USER@HOST/DATABASE for accord, dynamodb://TABLE for the others; - reads it"
                    + " from stdin, as every user of the machine can see arguments.");
    private final CliOption<Boolean> dryRun =
            CliOption.flag(spec(), "Only say what would become of the rows: read all, write nothing.", "--dry-run");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public ImportCommand() {
        super("import", "TOOL URL", "Import the data of another tool into the store.");
        describe(
                "Names that are done are done here, with their attributes and counts. What is held stays held until it"
                        + " expires, and its holder goes on by the token that it has, where that is a UUID.",
                "An entry that Holdfast has changed since is never overwritten. The same command may run again at any time:"
                        + " it completes an import that was interrupted, and brings over rows that changed. So a first"
                        + " copy may run while the other tool is used; the last one must run when it is stopped.",
                "Each row that is not imported is reported on stderr with the reason; then the exit code is 1.",
                "--namespace names a namespace for keys of tables that have none.");
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
