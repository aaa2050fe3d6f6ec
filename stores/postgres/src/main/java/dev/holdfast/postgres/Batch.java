package dev.holdfast.postgres;

import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.Version;
import dev.holdfast.postgres.BatchSql.Kinds;
import dev.holdfast.postgres.BinaryArray.Element;
import dev.holdfast.postgres.Rows.Column;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** One batch of changes on its way: binds the parameters of {@link BatchSql} and reads what it answers. */
final class Batch {
    private final List<Change> changes;
    private final List<Change> inserts = new ArrayList<>();
    private final List<Change> others = new ArrayList<>();
    private final Kinds kinds;

    Batch(List<Change> changes) {
        this.changes = changes;
        boolean replaces = false;
        boolean removes = false;
        for (Change change : changes) {
            (change.expected() == null ? inserts : others).add(change);
            replaces |= change.expected() != null && change.next() != null;
            removes |= change.next() == null;
        }
        // All who write go through rows in this order, so that nobody waits for somebody who waits for him.
        inserts.sort(Comparator.comparing(Change::key));
        others.sort(Comparator.comparing(Change::key));
        this.kinds = new Kinds(!inserts.isEmpty(), replaces, removes);
    }

    List<Outcome> run(Connection connection, BatchSql sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.of(kinds))) {
            if (kinds.removes()) {
                // A join, which must be planned for the table as it is now; removals are rare enough for that.
                statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
            bind(new Params(statement));
            statement.execute();
            if (kinds.barrier()) {
                statement.getMoreResults();
            }
            Set<UUID> written = written(statement);
            statement.getMoreResults();
            return outcomes(written, statement);
        }
    }

    /** In the order of the statements. */
    private void bind(Params params) throws SQLException {
        if (kinds.inserts()) {
            columns(params, inserts);
        }
        if (kinds.locks()) {
            columns(params, others);
            params.array(Element.UUID, others, change -> id(change.expected()));
        }
        params.keys(keys(changes))
                .array(Element.UUID, changes, Batch::newVersion)
                .value(String.valueOf(changes.size()));
    }

    /** A removal is a row that has a key, and nothing to become. */
    private static void columns(Params params, List<Change> of) throws SQLException {
        params.keys(keys(of));
        for (Column column : Rows.COLUMNS.subList(2, Rows.COLUMNS.size())) {
            params.array(
                    column.type(),
                    of,
                    change -> change.next() == null ? null : column.value().apply(change.next()));
        }
    }

    private static List<Key> keys(List<Change> of) {
        return of.stream().map(Change::key).toList();
    }

    private static Set<UUID> written(PreparedStatement statement) throws SQLException {
        Set<UUID> versions = new HashSet<>();
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                UUID version = rows.getObject(1, UUID.class);
                if (version != null) {
                    versions.add(version);
                }
            }
        }
        return versions;
    }

    private List<Outcome> outcomes(Set<UUID> written, PreparedStatement statement) throws SQLException {
        Outcome[] outcomes = new Outcome[changes.size()];
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                outcomes[rows.getInt(1) - 1] = new Outcome.Conflict(Rows.read(rows, 3), Fence.of(rows.getLong(2)));
            }
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (written.contains(mark(changes.get(i)))) {
                outcomes[i] = Outcome.APPLIED;
            }
        }
        return Arrays.stream(outcomes).map(Objects::requireNonNull).toList();
    }

    /** What the writing statement returns if it wrote this change. */
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
