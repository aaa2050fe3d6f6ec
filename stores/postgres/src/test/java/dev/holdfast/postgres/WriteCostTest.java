package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.WriteOutcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Costs of writes for the database, and operations that cost nothing. */
class WriteCostTest {
    private final Server server = Server.shared();
    private final String schema = Server.freshSchema();

    @SuppressWarnings("NullAway.Init")
    private PostgresStore store;

    @BeforeEach
    void open() {
        store = PostgresStore.open(server.url(schema));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void renewalsTouchNoIndexAndTheTableDoesNotGrow() throws Exception {
        List<Entry> entries = Entries.many("leases", 500);
        store.apply(entries.stream().map(Change::insert).toList());
        long size = tableBytes();
        for (int round = 0; round < 50; round++) {
            entries = Entries.renewAll(store, entries);
        }

        store.close(); // The server counts the work of a session when it ends.
        Eventually.holds(() -> statistic("n_tup_upd") >= 25_000);
        double hot = (double) statistic("n_tup_hot_upd") / statistic("n_tup_upd");
        assertThat(hot).as("share of renewals that touch no index").isGreaterThan(0.98);
        assertThat(tableBytes()).isLessThanOrEqualTo(2 * size);
    }

    @Test
    void aStaleVersionWritesNothing() throws SQLException {
        Entry first = Entries.held("a");
        store.apply(List.of(Change.insert(first)));
        Entries.renewAll(store, List.of(first));
        String before = rowIdentity();

        List<WriteOutcome> stale = store.apply(List.of(
                Change.replace(first.version(), Entries.renewed(first)),
                Change.replace(Entries.version(), Entries.held("missing"))));

        assertThat(stale).allMatch(outcome -> outcome instanceof WriteOutcome.Conflict);
        assertThat(rowIdentity()).isEqualTo(before);
    }

    @Test
    void aBatchOfConflictsTakesNoTransactionId() throws SQLException {
        Entry first = Entries.held("a");
        store.apply(List.of(Change.insert(first)));
        Entry second = Entries.renewAll(store, List.of(first)).get(0);
        long before = nextTransaction();
        for (int i = 0; i < 20; i++) {
            store.apply(List.of(Change.replace(first.version(), Entries.renewed(second))));
            store.apply(List.of(Change.remove(first.key(), first.version())));
        }

        // Others, such as autovacuum, may take some, but not forty.
        assertThat(nextTransaction() - before).isLessThan(20);
    }

    @Test
    void largeAttributesThatStayTheSameAreNotWrittenAgain() throws SQLException {
        byte[] noise = new byte[60_000];
        new Random(1).nextBytes(noise);
        Entry entry = Entries.held("large")
                .withAttributes(Entries.version(), Attributes.of("noise", AttributeValue.of(noise)));
        store.apply(List.of(Change.insert(entry)));
        String before = server.value("SELECT pg_current_wal_insert_lsn()");
        List<Entry> entries = List.of(entry);
        for (int i = 0; i < 20; i++) {
            entries = Entries.renewAll(store, entries);
        }

        String wal = server.value("SELECT pg_current_wal_insert_lsn() - '" + before + "'::pg_lsn");
        assertThat(Long.parseLong(wal)).isLessThan(20 * 60_000 / 2);
        assertThat(store.read(List.of(Key.of("large"))).get(0).orElseThrow().entry())
                .isEqualTo(entries.get(0));
    }

    private String rowIdentity() throws SQLException {
        return String.join(";", server.query("SELECT (ctid, xmin, xmax)::text FROM " + schema + ".entry"));
    }

    private long nextTransaction() throws SQLException {
        return Long.parseLong(server.value("SELECT txid_snapshot_xmax(txid_current_snapshot())"));
    }

    private long statistic(String column) throws SQLException {
        return Long.parseLong(server.value("SELECT " + column + " FROM pg_stat_user_tables WHERE schemaname = '"
                + schema + "' AND relname = 'entry'"));
    }

    private long tableBytes() throws SQLException {
        return Long.parseLong(server.value("SELECT pg_relation_size('" + schema + ".entry')"));
    }
}
