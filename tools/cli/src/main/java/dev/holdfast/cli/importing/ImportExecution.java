package dev.holdfast.cli.importing;

import dev.holdfast.Anchor;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.store.StoreOpener;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportRun;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.store.StoreSetup;
import java.time.Duration;

/** Carries the rows of a tool into a store. */
public final class ImportExecution {
    /** Of the lease that an import holds on its store: after a crash, the next import waits for its end. */
    private static final Duration TERM = Duration.ofSeconds(5);

    private static final String TURN = "holdfast-import";

    private final String url;
    private final String owner;
    private final ImportReport report;

    /** @param url of the store to import into */
    public ImportExecution(String url, String owner, ImportReport report) {
        if (StoreOpener.isServer(url)) {
            throw CommandFailure.usage("store: " + url
                    + " (expected: the store behind the server, such as postgresql://..., as servers import nothing)");
        }
        this.url = url;
        this.owner = owner;
        this.report = report;
    }

    /** Finds out what {@link #write} would do. Writes nothing, and creates no store. */
    public ImportCounts preview(ImportSource source) {
        // A store that is not there yet is as good as an empty one.
        try (Leases leases = StoreOpener.openToImport(exists() ? url : "memory:", owner)) {
            return new ImportRun(source, target(leases)::preview, report).run();
        }
    }

    private boolean exists() {
        StoreProvider provider = StoreOpener.provider(url);
        return !(provider instanceof StoreSetup setup) || setup.exists(url);
    }

    /**
     * Writes all rows. One import at a time: of two, the slower one could write a row as it was before the faster one read
     * it.
     */
    public ImportCounts write(ImportSource source) {
        try (Leases leases = StoreOpener.openToImport(url, owner)) {
            ImportTarget target = target(leases);
            try (Anchor turn = turn(leases)) {
                ImportRun.Step step = rows -> {
                    turn.checkHeld();
                    return target.write(rows);
                };
                return run(new ImportRun(source, step, report));
            }
        }
    }

    private static Anchor turn(Leases leases) {
        try {
            return leases.anchor(TURN, TERM);
        } catch (NotGrantedException e) {
            throw new CommandFailure(ExitCode.HELD, "another import into this store is running; try again after it", e);
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
