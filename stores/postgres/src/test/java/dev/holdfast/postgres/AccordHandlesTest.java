package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportRun;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.importing.SourceRow;
import dev.holdfast.importing.SourceRow.ReadableRow;
import dev.holdfast.importing.SourceRow.UnreadableRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests with accord's own table, filled as accord fills it. */
class AccordHandlesTest {
    private final Server server = Server.shared();
    private final AccordTable accord = new AccordTable(server);

    AccordHandlesTest() throws SQLException {}

    private List<SourceRow> rows() {
        List<SourceRow> rows = new ArrayList<>();
        try (AccordHandles source = AccordHandles.open(accord.url())) {
            for (Optional<List<SourceRow>> page = source.next(); page.isPresent(); page = source.next()) {
                rows.addAll(page.get());
            }
            assertThat(source.count()).hasValue(rows.size());
        }
        return rows;
    }

    private Map<String, String> reasons() {
        Map<String, String> reasons = new HashMap<>();
        rows().forEach(row -> {
            if (row instanceof UnreadableRow bad) {
                reasons.put(bad.name(), bad.reason());
            }
        });
        return reasons;
    }

    private ImportedRow onlyRow() {
        List<SourceRow> rows = rows();
        assertThat(rows).hasSize(1);
        return ((ReadableRow) rows.get(0)).row();
    }

    @Test
    void aLiveHandleIsHeldUntilItExpiresAndItsIdIsTheToken() throws SQLException {
        UUID id = accord.handle("files", "a", 600);

        ImportedRow row = onlyRow();
        assertThat(row.key()).isEqualTo(Key.of("files", "a"));
        assertThat(row.isHeld()).isTrue();
        assertThat(row.grants()).isEqualTo(3);
        assertThat(row.attributes()).isEqualTo(Attributes.of("size", "17"));
        ImportedRow.LastGrant grant = Objects.requireNonNull(row.grant());
        assertThat(grant.token()).isEqualTo(Token.of(id));
        assertThat(grant.holder()).isEqualTo(Holder.of("worker-1"));
        assertThat(grant.left()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    }

    @Test
    void anExpiredHandleIsFreeAndADoneOneIsDone() throws SQLException {
        UUID id = accord.handle("files", "a", -1);
        assertThat(onlyRow().state()).isEqualTo(LeaseState.FREE);

        accord.update(id, "done_at = '1970-01-01Z'");
        assertThat(onlyRow().state()).as("accord's word for not done").isEqualTo(LeaseState.FREE);
        accord.update(id, "done_at = '2024-05-06T07:08:09.123456Z', created_at = '2024-01-02T03:04:05Z'");
        assertThat(onlyRow().state()).isEqualTo(LeaseState.DONE);
        assertThat(onlyRow().doneAt()).isEqualTo(Instant.parse("2024-05-06T07:08:09.123456Z"));
        assertThat(onlyRow().createdAt()).isEqualTo(Instant.parse("2024-01-02T03:04:05Z"));
    }

    @Test
    void theFingerprintChangesWithWritesOfAccordAndNotWithTimeOrARejectedAcquire() throws SQLException {
        UUID id = accord.handle("files", "a", 600);
        String first = onlyRow().fingerprint();

        accord.update(id, "updated_at = now() + interval '1 second'");
        assertThat(onlyRow().fingerprint()).isEqualTo(first);
        for (String written : List.of(
                "expires_at = expires_at + interval '1 second'",
                "metadata = '{\"size\": \"18\"}'",
                "owner = 'worker-2'",
                "num_acquired = 4",
                "done_at = now()")) {
            String before = onlyRow().fingerprint();
            accord.update(id, written);
            assertThat(onlyRow().fingerprint()).as(written).isNotEqualTo(before);
        }
    }

    @Test
    void everyRowIsReadOnceOverManyPages() throws SQLException {
        accord.execute("INSERT INTO $ (id, namespace, name, owner, expires_at, metadata) SELECT gen_random_uuid(),"
                + " 'n' || i % 3, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'B-é%_\\' END || i, 'o', now(), '{}'"
                + " FROM generate_series(1, 2500) i");

        List<SourceRow> rows = rows();
        assertThat(rows).hasSize(2500).allMatch(row -> row instanceof ReadableRow);
        assertThat(rows.stream().map(row -> ((ReadableRow) row).row().key())).doesNotHaveDuplicates();
    }

    @Test
    void rowsThatCannotBeImportedAreReportedOneByOneWithTheReason() throws SQLException {
        accord.handle("good", "good", 60);
        accord.handle("~mine", "reserved", 60);
        accord.handle("\u00fc".repeat(100), "fits", 60);
        accord.handle("\u4e2d".repeat(100), "long namespace", 60);
        accord.handle("x", "", 60);
        accord.update(accord.handle("x", "long owner", 60), "owner = repeat('\u4e2d', 255)");
        accord.update(accord.handle("x", "no owner", 60), "owner = ''");
        accord.handle("x", "eight days", 8 * 24 * 3600);
        accord.update(accord.handle("x", "for ever", 60), "expires_at = 'infinity'");
        accord.update(accord.handle("x", "empty key", 60), "metadata = '{\"\": \"x\"}'");
        accord.update(accord.handle("x", "a number", 60), "metadata = '{\"n\": 1}'");
        accord.update(accord.handle("x", "a list", 60), "metadata = '[\"n\"]'");
        accord.update(accord.handle("x", "large", 60), "metadata = jsonb_build_object('k', repeat('x', 70000))");
        accord.update(
                accord.handle("x", "many", 60),
                "metadata = (SELECT jsonb_object_agg('k' || i, 'v') FROM generate_series(1, 129) i)");

        Map<String, String> reasons = reasons();
        assertThat(reasons)
                .hasSize(12)
                .hasEntrySatisfying("~mine/reserved", it -> assertThat(it).startsWith("namespace: ~mine"))
                .hasEntrySatisfying("x/", it -> assertThat(it).isEqualTo("name: \"\" (expected: not empty)"))
                .hasEntrySatisfying("x/long owner", it -> assertThat(it).startsWith("holder: "))
                .hasEntrySatisfying("x/no owner", it -> assertThat(it).startsWith("holder: "))
                .hasEntrySatisfying("x/eight days", it -> assertThat(it).startsWith("time left: "))
                .hasEntrySatisfying("x/for ever", it -> assertThat(it).startsWith("ends: "))
                .hasEntrySatisfying("x/empty key", it -> assertThat(it).startsWith("attribute name: "))
                .hasEntrySatisfying("x/a number", it -> assertThat(it).startsWith("metadata: "))
                .hasEntrySatisfying("x/a list", it -> assertThat(it).startsWith("metadata: "))
                .hasEntrySatisfying("x/large", it -> assertThat(it).startsWith("text: "))
                .hasEntrySatisfying("x/many", it -> assertThat(it).startsWith("attributes: "));
        assertThat(reasons.keySet()).anyMatch(name -> name.endsWith("/long namespace"));
    }

    @Test
    void aDatabaseWithoutAccordsTableIsRejected() {
        try (AccordHandles source = AccordHandles.open(server.url("elsewhere"))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(source::next)
                    .withMessageContaining("\"elsewhere\".resource_handles is no table of accord's");
        }
    }

    @Test
    void afterTheCutOverNamesStayDoneAndHoldersContinue() throws SQLException {
        UUID done = accord.handle("files", "done", -60);
        accord.update(done, "done_at = now()");
        UUID live = accord.handle("files", "live", 600);
        accord.handle("files", "expired", -60);
        accord.update(accord.handle("files", "bad", 60), "owner = ''");
        String store = server.url(Server.freshSchema());

        try (Leases leases = Holdfast.open(store, LeasesOptions.defaults())) {
            ImportCounts first = run(leases);
            assertThat(first.of(ImportOutcome.ADDED)).isEqualTo(3);
            assertThat(first.unreadable()).isEqualTo(1);
            assertThat(first.isComplete()).isFalse();

            AcquireOptions options = AcquireOptions.defaults();
            assertThat(leases.tryAcquire(Key.of("files", "done"), options)).isInstanceOf(AcquireResult.Done.class);
            assertThat(leases.tryAcquire(Key.of("files", "live"), options))
                    .isInstanceOf(AcquireResult.HeldByAnother.class);
            LeaseStatus expired = leases.get(Key.of("files", "expired")).orElseThrow();
            assertThat(expired.state()).isEqualTo(LeaseState.FREE);
            assertThat(expired.attributes()).isEqualTo(Attributes.of("size", "17"));

            // Accord keeps working between the first copy and the last.
            accord.update(live, "expires_at = expires_at + interval '1 minute', metadata = '{\"step\": \"2\"}'");
            ImportCounts last = run(leases);
            assertThat(last.of(ImportOutcome.UPDATED)).isEqualTo(1);
            assertThat(last.of(ImportOutcome.UNCHANGED)).isEqualTo(2);

            leases.done(Key.of("files", "live"), Token.of(live), AttributePatch.NONE);
            assertThat(run(leases).of(ImportOutcome.NEWER)).isEqualTo(1);
            LeaseStatus finished = leases.get(Key.of("files", "live")).orElseThrow();
            assertThat(finished.state()).isEqualTo(LeaseState.DONE);
            assertThat(finished.attributes()).isEqualTo(Attributes.of("step", "2"));
        }
    }

    private ImportCounts run(Leases leases) {
        try (AccordHandles source = AccordHandles.open(accord.url())) {
            ImportRun.Step step = ((ImportingLeases) leases).importTarget()::write;
            return new ImportRun(source, step, new Silent()).run();
        }
    }

    private static final class Silent implements ImportRun.Observer {
        @Override
        public void unreadable(UnreadableRow row) {}

        @Override
        public void conflicting(ImportedRow row) {}

        @Override
        public void progressed(ImportCounts counts) {}
    }
}
