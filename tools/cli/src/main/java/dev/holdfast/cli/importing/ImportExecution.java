package dev.holdfast.cli.importing;

import dev.holdfast.Anchor;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.config.StoreOpener;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportRun;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.store.StoreSetup;
import java.time.Duration;

/** Import of the rows of another tool into a store. */
public final class ImportExecution {
    /** Term of the lease that allows one import per store. After a crash, the next import waits until it expires. */
    private static final Duration TERM = Duration.ofSeconds(5);

    private static final String LOCK = "holdfast-import";

    private final String url;
    private final String owner;
    private final ImportReport report;

    /** @param url the store to import into */
    public ImportExecution(String url, String owner, ImportReport report) {
        if (StoreOpener.isServer(url)) {
            throw CommandFailure.usage(
                    "store: " + url
                            + " (expected: the store behind the server, such as postgresql://..., because a server cannot import)");
        }
        this.url = url;
        this.owner = owner;
        this.report = report;
    }

    /** Counts the rows that {@link #write} would add or update. Writes nothing and creates no store. */
    public ImportCounts preview(ImportSource source) {
        boolean exists = !(StoreOpener.provider(url) instanceof StoreSetup setup) || setup.exists(url);
        // A store that does not exist yet is equivalent to an empty one.
        try (Leases leases = StoreOpener.openToImport(exists ? url : "memory:", owner)) {
            return new ImportRun(source, target(leases)::preview, report).run();
        }
    }

    /**
     * Writes all rows. Only one import runs at a time: the slower of two could overwrite a row of the faster one with
     * an older state.
     */
    public ImportCounts write(ImportSource source) {
        try (Leases leases = StoreOpener.openToImport(url, owner)) {
            ImportTarget target = target(leases);
            try (Anchor lock = lock(leases)) {
                ImportRun.Step step = rows -> {
                    lock.checkHeld();
                    return target.write(rows);
                };
                return run(new ImportRun(source, step, report));
            }
        }
    }

    private static Anchor lock(Leases leases) {
        try {
            return leases.anchor(LOCK, TERM);
        } catch (NotGrantedException e) {
            throw new CommandFailure(
                    ExitCode.HELD, "another import into this store is running; retry after it ends", e);
        }
    }

    private ImportCounts run(ImportRun run) {
        try {
            return run.run();
        } catch (StoreException e) {
            report.interrupted(run.counts());
            throw e;
        }
    }

    private static ImportTarget target(Leases leases) {
        return ((ImportingLeases) leases).importTarget();
    }
}
