package dev.holdfast.postgres;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One batch of changes: binds the parameters of {@link BatchStatements} and reads the results. */
final class PostgresBatch {
    private final List<Change> changes;
    /** All writers use this order of rows, which prevents deadlocks. */
    private final List<Change> inOrder;

    PostgresBatch(List<Change> changes) {
        this.changes = changes;
        this.inOrder = changes.size() == 1
                ? changes
                : changes.stream().sorted(Comparator.comparing(Change::key)).toList();
    }

    /**
     * Applies the changes.
     *
     * @param skipLocked whether to skip locked rows; their outcomes, and no others, are failures
     */
    List<WriteOutcome> run(Connection connection, SessionSettings settings, BatchStatements sql, boolean skipLocked)
            throws SQLException {
        try (PreparedStatement statement = settings.prepare(connection, sql.of(removes(), skipLocked))) {
            bind(
                    new BinaryArrayCodec.StatementParameters(statement),
                    sql.tables().columns());
            Set<UUID> written = written(settings.run(statement));
            statement.getMoreResults();
            Map<Key, WriteOutcome> conflicts = conflicts(statement);
            return changes.stream()
                    .map(change -> written.contains(mark(change))
                            ? WriteOutcome.APPLIED
                            : refused(change, conflicts.get(change.key()), skipLocked))
                    .toList();
        }
    }

    boolean removes() {
        return changes.stream().anyMatch(change -> change.next() == null);
    }

    /** Inserts and replaces rows, in a transaction of its own. Returns the changes that were not applied. */
    List<Change> write(Connection connection, SessionSettings settings, BatchStatements sql) throws SQLException {
        List<Change> inserts =
                inOrder.stream().filter(change -> change.expected() == null).toList();
        List<Change> replacements =
                inOrder.stream().filter(change -> change.expected() != null).toList();
        String text = sql.ofWrites(inserts.size(), replacements.size());
        try (PreparedStatement statement = settings.prepare(connection, text)) {
            bindWrites(
                    new BinaryArrayCodec.StatementParameters(statement),
                    sql.tables().columns(),
                    inserts,
                    replacements);
            Set<UUID> written = written(settings.run(statement));
            if (!inserts.isEmpty() && !replacements.isEmpty()) {
                statement.getMoreResults();
                written.addAll(written(statement.getResultSet()));
            }
            return written.size() == changes.size()
                    ? List.of()
                    : changes.stream()
                            .filter(change -> !written.contains(mark(change)))
                            .toList();
        }
    }

    /** A row that is at the expected version but was not written was skipped. */
    private static WriteOutcome refused(Change change, @Nullable WriteOutcome conflict, boolean skipLocked) {
        return skipLocked
                        && conflict instanceof WriteOutcome.Conflict found
                        && found.stored() != null
                        && found.stored().entry().version().equals(change.expected())
                ? locked()
                : Objects.requireNonNull(conflict);
    }

    /** Returns the outcome of a change to a row that another transaction has locked. */
    static WriteOutcome locked() {
        return new WriteOutcome.Failed(
                StoreException.notApplied("PostgreSQL: the row is locked by another transaction [55P03]", null));
    }

    /** Binds the parameters of both statements, in their order. */
    private void bind(BinaryArrayCodec.StatementParameters parameters, List<PostgresRows.EntryColumn> columns)
            throws SQLException {
        bindColumns(parameters, columns, inOrder);
        bindExpected(parameters, inOrder);
        parameters
                .keys(keys(inOrder))
                .array(BinaryArrayCodec.Element.UUID, inOrder, PostgresBatch::newVersion)
                .value(String.valueOf(changes.size()));
    }

    private static void bindWrites(
            BinaryArrayCodec.StatementParameters parameters,
            List<PostgresRows.EntryColumn> columns,
            List<Change> inserts,
            List<Change> replacements)
            throws SQLException {
        boolean isAlone = inserts.size() + replacements.size() == 1;
        if (isAlone) {
            Change change = (inserts.isEmpty() ? replacements : inserts).get(0);
            bindOne(parameters, columns, change);
        } else {
            if (!inserts.isEmpty()) {
                bindColumns(parameters, columns, inserts);
            }
            if (!replacements.isEmpty()) {
                bindColumns(parameters, columns, replacements);
                bindExpected(parameters, replacements);
            }
        }
        if (!inserts.isEmpty()) {
            parameters.value(inserts.stream()
                    .mapToLong(change -> next(change).fence().value())
                    .min()
                    .orElseThrow());
        }
    }

    private static void bindOne(
            BinaryArrayCodec.StatementParameters parameters, List<PostgresRows.EntryColumn> columns, Change change)
            throws SQLException {
        for (PostgresRows.EntryColumn column : columns) {
            parameters.single(column.type(), column.value().apply(next(change)));
        }
        if (change.expected() != null) {
            parameters.single(BinaryArrayCodec.Element.UUID, id(change.expected()));
        }
    }

    private static void bindColumns(
            BinaryArrayCodec.StatementParameters parameters, List<PostgresRows.EntryColumn> columns, List<Change> rows)
            throws SQLException {
        parameters.keys(keys(rows));
        for (PostgresRows.EntryColumn column : columns.subList(2, columns.size())) {
            parameters.array(
                    column.type(),
                    rows,
                    change -> change.next() == null ? null : column.value().apply(change.next()));
        }
    }

    private static void bindExpected(BinaryArrayCodec.StatementParameters parameters, List<Change> rows)
            throws SQLException {
        parameters.array(BinaryArrayCodec.Element.UUID, rows, change -> id(change.expected()));
    }

    private static List<Key> keys(List<Change> rows) {
        return rows.stream().map(Change::key).toList();
    }

    private static Entry next(Change change) {
        return Objects.requireNonNull(change.next());
    }

    private static Set<UUID> written(ResultSet result) throws SQLException {
        Set<UUID> versions = new HashSet<>();
        try (ResultSet rows = result) {
            while (rows.next()) {
                UUID version = rows.getObject(1, UUID.class);
                if (version != null) {
                    versions.add(version);
                }
            }
        }
        return versions;
    }

    private Map<Key, WriteOutcome> conflicts(PreparedStatement statement) throws SQLException {
        Map<Key, WriteOutcome> conflicts = new HashMap<>();
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                Key key = inOrder.get(rows.getInt(1) - 1).key();
                conflicts.put(key, new WriteOutcome.Conflict(PostgresRows.read(rows, 3), Fence.of(rows.getLong(2))));
            }
        }
        return conflicts;
    }

    /** Returns the id that the writing statement returns if it wrote this change. */
    private static @Nullable UUID mark(Change change) {
        return change.next() == null ? id(change.expected()) : newVersion(change);
    }

    private static @Nullable UUID newVersion(Change change) {
        return change.next() == null ? null : change.next().version().id();
    }

    private static @Nullable UUID id(@Nullable Version version) {
        return version == null ? null : version.id();
    }
}
