package dev.holdfast.sqlite;

import dev.holdfast.StoreException;
import dev.holdfast.sqlite.clock.BootClock;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.StoreSetup.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Check of a file for problems that could break a guarantee. It changes and creates nothing. */
final class SqliteCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** The most damaged places reported: one proves the damage, and a few help to find the cause. */
    private static final int DAMAGE_LIMIT = 3;
    /** The most characters of a finding that quotes SQLite, because SQLite may list many damaged cells of a page. */
    private static final int LINE_LIMIT = 400;

    private final SqliteUrl url;
    private final BootClock clock;
    private final FileSystemTypes types;
    private final SqliteErrors errors;
    private final List<Finding> findings = new ArrayList<>();

    private SqliteCheck(SqliteUrl url, BootClock clock, FileSystemTypes types) {
        this.url = url;
        this.clock = clock;
        this.types = types;
        this.errors = new SqliteErrors(url.path(), PATIENCE);
    }

    static List<Finding> run(SqliteUrl url, BootClock clock, FileSystemTypes types) {
        SqliteCheck check = new SqliteCheck(url, clock, types);
        check.fileSystem();
        check.file();
        check.durability();
        check.clock();
        return List.copyOf(check.findings);
    }

    private void fileSystem() {
        String shared = types.sharedTypeOf(url.path());
        if (shared != null) {
            String danger = url.path() + " " + FileSystemTypes.danger(shared);
            findings.add(
                    url.isOneHost()
                            ? Finding.warning(
                                    danger + "; " + SqliteUrl.ONE_HOST + " promises that no other host opens the file")
                            : Finding.error(danger + ": name a file on a local disk"));
        }
    }

    private void file() {
        Path path = url.path();
        if (Files.isDirectory(path)) {
            findings.add(Finding.error(path + " is a folder: name a file in it"));
        } else if (Files.exists(path)) {
            if (!Files.isWritable(path)) {
                findings.add(Finding.error(path + " cannot be written by this user"));
            }
            content();
        } else {
            missing(path);
        }
    }

    private void missing(Path path) {
        Path folder = path.resolveSibling(".").normalize();
        try {
            DatabaseFile.requireNoLogOfADeletedFile(path, errors);
        } catch (StoreException e) {
            findings.add(Finding.error(String.valueOf(e.getMessage())));
            return;
        }
        if (url.isDefault() || (Files.isDirectory(folder) && Files.isWritable(folder))) {
            findings.add(Finding.warning(
                    "there is no file yet (" + path + "); the first process to open the store creates it"));
        } else {
            findings.add(Finding.error("there is no file (" + path + "), and none can be created in " + folder));
        }
    }

    private void content() {
        try (SqliteSession session =
                SqliteSession.open("file://" + url.path().toUri().getRawPath(), true, PATIENCE)) {
            findings.add(Finding.ok("SQLite " + session.text("SELECT sqlite_version()") + ", " + url.path()));
            SchemaVersion found = SqliteSchema.CURRENT.usable(session, errors);
            findings.add(schema(found));
            session.use(SqliteSchema.CURRENT.statements(found));
            if (!found.isEmpty()) {
                pages(session);
                // Fails if a table, a column or an index is missing or different.
                new ScanQuery(EntryScan.of("", 1)).run(session, clock.now());
                turns();
            }
        } catch (StoreException e) {
            findings.add(Finding.error(shortened(String.valueOf(e.getMessage()))));
        } catch (SQLException e) {
            findings.add(
                    Finding.error(shortened(String.valueOf(errors.notApplied(e).getMessage()))));
        }
    }

    private static Finding schema(SchemaVersion found) {
        int newest = SqliteSchema.CURRENT.version();
        if (found.isEmpty()) {
            return Finding.warning("the file is empty; the first process to open the store creates its tables");
        }
        String versions = "schema of version " + found.version() + ", for Holdfast with version " + found.minWriter()
                + " or newer; this one has " + newest;
        if (found.version() >= newest) {
            return Finding.ok(versions);
        }
        boolean keepsHistory = SqliteSchema.CURRENT.statements(found).keepsHistory();
        return Finding.ok(versions + ": 'holdfast store upgrade' brings it up to date"
                + (keepsHistory ? "" : ", and adds the histories of keys"));
    }

    /** Reads all pages, and reports at most {@link #DAMAGE_LIMIT} damaged places. */
    private void pages(SqliteSession session) throws SQLException {
        try (ResultSet row =
                session.prepared("PRAGMA quick_check(" + DAMAGE_LIMIT + ")").executeQuery()) {
            for (int i = 0; i < DAMAGE_LIMIT && row.next(); i++) {
                String found = row.getString(1);
                findings.add(
                        found.equals("ok")
                                ? Finding.ok("all pages of the file are whole")
                                : Finding.error(shortened(
                                        url.path() + " is damaged: restore it from a backup; " + found.strip())));
            }
        }
    }

    private void turns() {
        Path turns = WriteTurn.path(url.path());
        if (Files.exists(turns) && !Files.isWritable(turns)) {
            findings.add(Finding.warning(turns + " cannot be written by this user: its processes take no turns with"
                    + " processes of other users, and may wait long if many write; give it the mode of the database"));
        }
    }

    private static String shortened(String text) {
        return text.length() <= LINE_LIMIT ? text : text.substring(0, LINE_LIMIT) + "...";
    }

    private void durability() {
        findings.add(
                url.durability() == SqliteUrl.Durability.FULL
                        ? Finding.ok("durability is full: acknowledged writes survive a crash of the machine")
                        : Finding.warning("durability is relaxed: a crash of the machine may undo the last grants,"
                                + " and a key may then have two holders"));
    }

    private void clock() {
        findings.add(
                clock.now() == null
                        ? Finding.warning("this system has no clock since boot that all processes share: the lease of a"
                                + " dead process can be taken over only after watching it for its whole term")
                        : Finding.ok("the clock is the time since boot: steps of the wall clock do not matter"));
    }
}
