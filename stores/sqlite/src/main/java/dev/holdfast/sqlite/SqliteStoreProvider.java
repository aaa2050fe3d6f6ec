package dev.holdfast.sqlite;

import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.store.StoreSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Provider of stores at {@code sqlite:PATH}: a file on a local disk, shared by any number of processes of this host.
 *
 * <pre>
 * sqlite:                                  $XDG_STATE_HOME/holdfast/holdfast.db, or ~/.local/state/holdfast/holdfast.db
 * sqlite:leases.db                         relative to the working folder
 * sqlite:/var/lib/app/leases.db
 * sqlite:/var/lib/app/leases.db?durability=relaxed
 * sqlite:/home/ann/leases.db?hosts=one
 * sqlite:/var/lib/app/leases.db?history=20
 * </pre>
 *
 * <p>PATH is percent-decoded, so it may contain any character: write {@code %25} for a percent sign and {@code %3F} for
 * a question mark. The folder must exist; only that of the default path is created. A new file is readable by its owner
 * alone. Beside it SQLite keeps {@code PATH-wal} and {@code PATH-shm}, and Holdfast {@code PATH-turn}.
 * A file that is not Holdfast's, is damaged, or needs a newer Holdfast is rejected and left unchanged. A file of an
 * older Holdfast is used without changing its schema, until {@link #upgrade} changes it.
 *
 * <p><b>durability</b>
 * <ul>
 *   <li>{@code full}, the default: acknowledged writes survive a crash of the process and of the machine.
 *   <li>{@code relaxed}: faster. Acknowledged writes survive a crash of the process. If the machine crashes or loses
 *       power, the last acknowledged writes may be lost. The store can then forget a grant while its holder keeps
 *       working on another machine. Another client is granted the same key, so <b>two clients hold it at once</b>,
 *       perhaps with the same fence. A done key can be granted again.
 * </ul>
 *
 * <p><b>history</b>: how many ended grants of each key are kept, 0 to 50. A file of a schema before 3 keeps none.
 *
 * <p>Not for a file system that several hosts share: SQLite's locks and shared memory work only between the processes
 * of one host. A file on such a file system is rejected, unless the URL contains {@code hosts=one}: then <b>no other
 * host may ever open it</b>.
 *
 * <p>Do not delete, move or replace the file while processes use it: these processes then stop granting and renewing.
 */
public final class SqliteStoreProvider implements StoreProvider, StoreSetup {
    static final String SCHEME = "sqlite";

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public LeaseStore open(String url, HostEnvironment environment) {
        // The environment's clock is not used: a clock that the processes of this host share stamps the beats.
        return SqliteStore.open(SqliteUrl.parse(url), BootClock.system());
    }

    /** The wall clock is not checked, because beats are stamped with the time since boot. */
    @Override
    public List<Finding> check(String url, Supplier<Instant> clock) {
        return SqliteCheck.run(SqliteUrl.parse(url), BootClock.system(), FileSystemTypes.system());
    }

    @Override
    public boolean exists(String url) {
        return isFilled(SqliteUrl.parse(url).path());
    }

    @Override
    public void init(String url, Consumer<String> progress) {
        SqliteUrl parsed = SqliteUrl.parse(url);
        boolean existed = isFilled(parsed.path());
        SqliteStore.open(parsed, BootClock.system()).close();
        progress.accept((existed ? "the file exists and is left as it is: " : "created the file ") + parsed.path());
    }

    @Override
    public void upgrade(String url, Consumer<String> progress) {
        SqliteUrl parsed = SqliteUrl.parse(url);
        SqliteErrors errors = new SqliteErrors(parsed.path(), SqliteStore.PATIENCE);
        if (!isFilled(parsed.path())) {
            throw errors.rejected("there is nothing to upgrade: 'holdfast store init' creates the file");
        }
        int newest = SqliteSchema.CURRENT.version();
        try {
            long before = DatabaseFile.of(
                            parsed, SqliteSchema.CURRENT, SqliteStore.PATIENCE, errors, FileSystemTypes.system())
                    .upgrade()
                    .version();
            progress.accept(
                    before < newest
                            ? "upgraded the schema from version " + before + " to " + newest + ": " + parsed.path()
                            : "the schema has version " + before + ", there is nothing to upgrade: " + parsed.path());
        } catch (SQLException e) {
            throw errors.notApplied(e);
        }
    }

    private static boolean isFilled(Path path) {
        try {
            return Files.size(path) > 0;
        } catch (IOException e) {
            return false;
        }
    }
}
