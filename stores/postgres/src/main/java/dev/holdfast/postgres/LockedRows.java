package dev.holdfast.postgres;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.Change;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runner of batches that isolates rows locked by other programs, so that they do not delay the rest of their batch.
 *
 * <p>A batch runs as one statement, which waits a limited time for a locked row. If the row stays locked, the batch is
 * rolled back and runs again, skipping locked rows. An insert cannot skip an uncommitted row of another transaction, so
 * blocked inserts are halved until the blocked one is alone. Only the changes of locked rows fail. Their keys are
 * remembered, and the next batch with one of them does not wait for it again.
 */
final class LockedRows {
    /** How long a key is remembered without a further change of it. */
    private static final Duration MEMORY = Duration.ofSeconds(30);

    /**
     * More rows than any program locks one by one. Beyond this limit, batches wait for further locked rows each time.
     */
    private static final int REMEMBERED_LIMIT = 10_000;

    private final BatchStatements sql;
    private final SessionSettings settings;
    private final SessionSettings brief;
    private final long budgetNanos;

    /** Keys of rows that were locked at the last attempt, each with the time until which to remember it. */
    private final Map<Key, Long> locked = new ConcurrentHashMap<>();

    /** @param timeout the longest that one call may take */
    LockedRows(BatchStatements sql, SessionSettings settings, Duration timeout) {
        this.sql = sql;
        this.settings = settings;
        this.brief = settings.withBriefLockWait();
        this.budgetNanos = timeout.toNanos() / 2;
    }

    /**
     * Applies changes.
     *
     * @throws SQLException if the error affects all changes, and none is known to be applied
     */
    List<WriteOutcome> apply(Connection connection, List<Change> changes) throws SQLException {
        if (locked.isEmpty()) {
            return together(connection, changes);
        }
        List<Change> suspects = new ArrayList<>();
        List<Change> others = new ArrayList<>();
        for (Change change : changes) {
            (isRemembered(change.key()) ? suspects : others).add(change);
        }
        if (suspects.isEmpty()) {
            return together(connection, changes);
        }
        Isolation isolation = new Isolation(connection);
        if (!others.isEmpty()) {
            List<WriteOutcome> outcomes = together(connection, others);
            for (int i = 0; i < others.size(); i++) {
                isolation.outcomes.put(others.get(i).key(), outcomes.get(i));
            }
        }
        isolation.apply(suspects);
        return isolation.outcomes(changes);
    }

    private List<WriteOutcome> together(Connection connection, List<Change> changes) throws SQLException {
        Isolation isolation = new Isolation(connection);
        try {
            PostgresBatch batch = new PostgresBatch(changes);
            List<Change> rest = batch.removes() ? changes : writeBriefly(connection, batch, changes);
            if (rest.isEmpty()) {
                return Collections.nCopies(changes.size(), WriteOutcome.APPLIED);
            }
            return rest.size() == changes.size()
                    ? batch.run(connection, settings, sql, false)
                    : isolation.examine(changes, rest);
        } catch (SQLException e) {
            if (!PostgresErrors.isLockTimeout(e)) {
                throw e;
            }
        }
        isolation.apply(changes);
        return isolation.outcomes(changes);
    }

    /** Writes with short statements. Returns the changes that these did not apply. */
    private List<Change> writeBriefly(Connection connection, PostgresBatch batch, List<Change> changes)
            throws SQLException {
        try {
            return batch.write(connection, settings, sql);
        } catch (SQLException e) {
            if (!PostgresErrors.isFloorRisen(e)) {
                throw e;
            }
            // The fence of an insert is not above the floor. The long statements tell which one it is.
            return changes;
        }
    }

    private boolean isRemembered(Key key) {
        Long until = locked.get(key);
        if (until != null && until - System.nanoTime() < 0) {
            locked.remove(key, until);
            return false;
        }
        return until != null;
    }

    private void remember(Key key) {
        long now = System.nanoTime();
        if (locked.size() >= REMEMBERED_LIMIT) {
            locked.values().removeIf(until -> until - now < 0);
        }
        if (locked.size() < REMEMBERED_LIMIT) {
            locked.put(key, now + MEMORY.toNanos());
        }
    }

    /**
     * One batch in parts, each in its own transaction. After the first response, an error affects only its own part.
     */
    private final class Isolation {
        private final Connection connection;
        private final Map<Key, WriteOutcome> outcomes = new HashMap<>();
        private final long deadlineNanos = System.nanoTime() + budgetNanos;
        private boolean broken;

        Isolation(Connection connection) {
            this.connection = connection;
        }

        List<WriteOutcome> outcomes(List<Change> changes) {
            return changes.stream()
                    .map(change -> Objects.requireNonNull(outcomes.get(change.key())))
                    .toList();
        }

        /**
         * Finds the reason why some changes were not applied. The others were, in a transaction before, so an error affects
         * only these.
         */
        List<WriteOutcome> examine(List<Change> changes, List<Change> rest) throws SQLException {
            changes.forEach(change -> outcomes.put(change.key(), WriteOutcome.APPLIED));
            rest.forEach(change -> outcomes.remove(change.key()));
            try {
                List<WriteOutcome> results = new PostgresBatch(rest).run(connection, settings, sql, false);
                for (int i = 0; i < rest.size(); i++) {
                    outcomes.put(rest.get(i).key(), results.get(i));
                }
            } catch (SQLException e) {
                failed(rest, e);
            }
            return outcomes(changes);
        }

        void apply(List<Change> part) throws SQLException {
            if (broken || System.nanoTime() - deadlineNanos >= 0) {
                fail(
                        part,
                        StoreException.notApplied(
                                "PostgreSQL: not sent, as the rest of its batch took too long or failed", null));
                return;
            }
            try {
                List<WriteOutcome> results = new PostgresBatch(part).run(connection, brief, sql, true);
                for (int i = 0; i < part.size(); i++) {
                    completed(part.get(i).key(), results.get(i));
                }
            } catch (SQLException e) {
                failed(part, e);
            }
        }

        private void completed(Key key, WriteOutcome outcome) {
            outcomes.put(key, outcome);
            if (outcome instanceof WriteOutcome.Failed) {
                remember(key);
            } else {
                locked.remove(key);
            }
        }

        private void failed(List<Change> part, SQLException e) throws SQLException {
            if (outcomes.isEmpty() && !PostgresErrors.isLockTimeout(e)) {
                throw e; // nothing was written before it
            }
            StoreException failure = PostgresErrors.writing(e);
            boolean ofOneRow = PostgresErrors.isLockTimeout(e) || !failure.isRetryable();
            if (ofOneRow && part.size() > 1) {
                split(part);
            } else if (PostgresErrors.isLockTimeout(e)) {
                completed(part.get(0).key(), PostgresBatch.locked());
            } else {
                broken = !ofOneRow;
                fail(part, failure);
            }
        }

        /** Separates inserts from other changes. Except for a lock on the whole table, only inserts can have waited. */
        private void split(List<Change> part) throws SQLException {
            List<Change> inserts = new ArrayList<>();
            List<Change> others = new ArrayList<>();
            for (Change change : part) {
                (change.expected() == null ? inserts : others).add(change);
            }
            boolean mixed = !inserts.isEmpty() && !others.isEmpty();
            apply(mixed ? others : part.subList(0, part.size() / 2));
            apply(mixed ? inserts : part.subList(part.size() / 2, part.size()));
        }

        private void fail(List<Change> part, StoreException failure) {
            part.forEach(change -> outcomes.put(change.key(), new WriteOutcome.Failed(failure)));
        }
    }
}
