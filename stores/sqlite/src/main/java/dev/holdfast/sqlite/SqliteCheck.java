package dev.holdfast.sqlite;

import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreSetup.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks at a file for what could break a promise. Changes nothing, creates nothing. */
final class SqliteCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SqliteUrl url;
    private final BootClock clock;
    private final SqliteErrors errors;
    private final List<Finding> findings = new ArrayList<>();

    private SqliteCheck(SqliteUrl url, BootClock clock) {
        this.url = url;
        this.clock = clock;
        this.errors = new SqliteErrors(url.path(), PATIENCE);
    }

    static List<Finding> run(SqliteUrl url, BootClock clock) {
        SqliteCheck check = new SqliteCheck(url, clock);
        check.file();
        check.durability();
        check.clock();
        return List.copyOf(check.findings);
    }

    private void file() {
        Path path = url.path();
        if (Files.isDirectory(path)) {
            findings.add(Finding.error(path + " is a folder: name a file in it"));
        } else if (Files.exists(path)) {
            if (!Files.isWritable(path)) {
                findings.add(Finding.error(path + " cannot be written by this user"));
            }
            schema();
        } else {
            missing(path);
        }
    }

    private void missing(Path path) {
        Path folder = path.resolveSibling(".").normalize();
        if (url.isDefault() || (Files.isDirectory(folder) && Files.isWritable(folder))) {
            findings.add(
                    Finding.warning("there is no file yet (" + path + "); the first to open the store creates it"));
        } else {
            findings.add(Finding.error("there is no file (" + path + "), and none can be created in " + folder));
        }
    }

    private void schema() {
        try (Session session =
                Session.open("file://" + url.path().toUri().getRawPath(), true, Math.toIntExact(PATIENCE.toMillis()))) {
            findings.add(Finding.ok("SQLite " + session.text("SELECT sqlite_version()") + ", " + url.path()));
            boolean outdated = Schema.CURRENT.isOutdated(session, errors);
            long version = session.number("PRAGMA user_version");
            findings.add(
                    outdated
                            ? Finding.warning("the schema has version " + version
                                    + "; the next to open the store brings it up to date")
                            : Finding.ok("schema of version " + version));
        } catch (StoreException e) {
            findings.add(Finding.error(String.valueOf(e.getMessage())));
        } catch (SQLException e) {
            throw errors.notApplied(e);
        }
    }

    private void durability() {
        findings.add(
                url.durability() == Durability.FULL
                        ? Finding.ok("durability is full: what was acknowledged survives a crash of the machine")
                        : Finding.warning("durability is relaxed: a crash of the machine may take back the last grants,"
                                + " and a key may then have two holders"));
    }

    private void clock() {
        findings.add(
                clock.now() == null
                        ? Finding.warning("this system has no clock since boot that all processes share: the lease of"
                                + " one that died is taken over only after watching it for its whole term")
                        : Finding.ok("the clock is the time since boot: steps of the wall clock do not matter"));
    }
}
