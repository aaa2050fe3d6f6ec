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
        boolean removes = changes.stream().anyMatch(change -> change.next() == null);
        try (PreparedStatement statement = settings.prepare(connection, sql.of(removes, skipLocked))) {
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

    boolean onlyReplaces() {
        return changes.stream().allMatch(change -> change.expected() != null && change.next() != null);
    }

    /** Replaces rows, in a transaction of its own. Returns the changes that were not applied. */
    List<Change> replace(Connection connection, SessionSettings settings, BatchStatements sql) throws SQLException {
        try (PreparedStatement statement = settings.prepare(connection, sql.ofReplacements(changes.size()))) {
            BinaryArrayCodec.StatementParameters parameters = new BinaryArrayCodec.StatementParameters(statement);
            List<PostgresRows.EntryColumn> columns = sql.tables().columns();
            if (changes.size() == 1) {
                bindOne(parameters, columns);
            } else {
                bindChanges(parameters, columns);
            }
            Set<UUID> written = written(settings.run(statement));
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
        bindChanges(parameters, columns);
        parameters
                .keys(keys())
                .array(BinaryArrayCodec.Element.UUID, inOrder, PostgresBatch::newVersion)
                .value(String.valueOf(changes.size()));
    }

    private List<Key> keys() {
        return inOrder.stream().map(Change::key).toList();
    }

    private void bindOne(BinaryArrayCodec.StatementParameters parameters, List<PostgresRows.EntryColumn> columns)
            throws SQLException {
        Change change = changes.get(0);
        Entry next = Objects.requireNonNull(change.next());
        for (PostgresRows.EntryColumn column : columns) {
            parameters.single(column.type(), column.value().apply(next));
        }
        parameters.single(BinaryArrayCodec.Element.UUID, id(change.expected()));
    }

    private void bindChanges(BinaryArrayCodec.StatementParameters parameters, List<PostgresRows.EntryColumn> columns)
            throws SQLException {
        parameters.keys(keys());
        for (PostgresRows.EntryColumn column : columns.subList(2, columns.size())) {
            parameters.array(
                    column.type(),
                    inOrder,
                    change -> change.next() == null ? null : column.value().apply(change.next()));
        }
        parameters.array(BinaryArrayCodec.Element.UUID, inOrder, change -> id(change.expected()));
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
