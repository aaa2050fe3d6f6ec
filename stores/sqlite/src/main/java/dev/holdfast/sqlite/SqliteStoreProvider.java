package dev.holdfast.sqlite;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreProvider;
import dev.holdfast.spi.StoreSetup;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Opens {@code sqlite:PATH}: a file on a local disk, shared by any number of processes of this host.
 *
 * <pre>
 * sqlite:                                  $XDG_STATE_HOME/holdfast/holdfast.db, or ~/.local/state/holdfast/holdfast.db
 * sqlite:leases.db                         relative to the working folder
 * sqlite:/var/lib/app/leases.db
 * sqlite:/var/lib/app/leases.db?durability=relaxed
 * </pre>
 *
 * <p>PATH is percent-decoded, so that it may hold any character: write {@code %25} for a percent sign and {@code %3F} for
 * a question mark. The folder must exist; only that of the default path is created. A new file is readable by its owner
 * alone. Beside it SQLite keeps {@code PATH-wal} and {@code PATH-shm}, and Holdfast {@code PATH-turn}.
 * A file that is not Holdfast's, is damaged, or comes from a newer Holdfast is refused and left as it is.
 *
 * <p><b>durability</b>
 * <ul>
 *   <li>{@code full}, the default: what was acknowledged survives a crash of the process, and of the machine.
 *   <li>{@code relaxed}: faster, and survives a crash of the process; but what was acknowledged shortly before the machine
 *       crashes or loses power may be gone. A grant can so be forgotten while its holder, on a machine that it talks to,
 *       goes on working: somebody else is granted the same key, <b>two hold it at once</b>, and with the same fence
 *       perhaps. A key that was done can be granted again.
 * </ul>
 *
 * <p>Not for a network file system: SQLite's locks and shared memory work between the processes of one host only.
 */
public final class SqliteStoreProvider implements StoreProvider, StoreSetup {
    static final String SCHEME = "sqlite";

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public LeaseStore open(String url, Runtime runtime) {
        // The runtime is not asked for the time: beats are stamped by a clock that the processes of this host share.
        return SqliteStore.open(SqliteUrl.parse(url), BootClock.system());
    }

    /** The wall clock is of no interest: beats are stamped with the time since boot. */
    @Override
    public List<Finding> check(String url, Supplier<Instant> clock) {
        return SqliteCheck.run(SqliteUrl.parse(url), BootClock.system());
    }

    @Override
    public void upgrade(String url, Consumer<String> progress) {
        init(url, progress);
    }

    @Override
    public void init(String url, Consumer<String> progress) {
        SqliteUrl parsed = SqliteUrl.parse(url);
        boolean existed = Files.exists(parsed.path());
        SqliteStore.open(parsed, BootClock.system()).close();
        progress.accept((existed ? "the file is up to date: " : "created the file ") + parsed.path());
    }
}
