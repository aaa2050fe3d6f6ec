package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tests of importing rows of other tools while clients work. Only for clients that can import. */
abstract class LeasesImportContract extends LeasesFeatureContract {
    private static final Token THEIRS = Token.of(UUID.fromString("0b44c2ea-7f3c-4c1c-9d57-5f6f8f0f3a11"));
    private static final Instant CREATED = Instant.parse("2020-02-03T04:05:06.789012Z");
    private static final Instant DONE = Instant.parse("2021-02-03T04:05:06.789012Z");
    private static final Attributes METADATA = Attributes.of("path", "a/b").with("size", "17");

    private ImportTarget target() {
        Assumptions.assumeTrue(
                ann() instanceof ImportingLeases && dialect().equals(StoreDialect.NATIVE),
                "only a client on a store in Holdfast's own layout imports");
        return ((ImportingLeases) ann()).importTarget();
    }

    private static ImportedRow row(Key key, String fingerprint, Duration left, @Nullable Instant doneAt) {
        LastGrant grant = new LastGrant(THEIRS, Holder.of("worker-9"), left, DONE);
        return new ImportedRow(key, fingerprint, Fence.of(7), 12, grant, METADATA, CREATED, doneAt);
    }

    private LeaseStatus status() {
        return bob().get(KEY).orElseThrow();
    }

    @Test
    void anImportedDoneKeyIsNotGrantedAndKeepsItsFields() {
        ImportTarget target = target();
        List<ImportedRow> rows = List.of(row(KEY, "1", Duration.ZERO, DONE));
        assertThat(target.preview(rows)).containsExactly(ImportOutcome.ADDED);
        assertThat(bob().get(KEY)).isEmpty();

        assertThat(target.write(rows)).containsExactly(ImportOutcome.ADDED);

        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.Done.class);
        assertThat(status().state()).isEqualTo(LeaseState.DONE);
        assertThat(status().entry().doneAt()).isEqualTo(DONE);
        assertThat(status().entry().createdAt()).isEqualTo(CREATED);
        assertThat(status().entry().grants()).isEqualTo(12);
        assertThat(status().attributes()).isEqualTo(METADATA);
        assertThat(status().holder()).contains(Holder.of("worker-9"));
    }

    @Test
    void anImportedHolderKeepsTheKeyUntilItsTermEnds() {
        target().write(List.of(row(KEY, "1", term(), null)));

        AcquireResult refused = bob().tryAcquire(KEY, renewed());
        assertThat(refused).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(((AcquireResult.HeldByAnother) refused).holder()).isEqualTo(Holder.of("worker-9"));

        Lease taken = takeOver(bob(), KEY);
        assertThat(taken.fence().isAbove(Fence.of(7))).isTrue();
        assertThat(taken.attributes()).isEqualTo(METADATA);
        assertThat(status().entry().grants()).isEqualTo(13);
    }

    @Test
    void anImportedHolderContinuesWithItsToken() {
        ImportTarget target = target();
        ImportedRow row = row(KEY, "1", term(), null);
        target.write(List.of(row));

        assertThat(bob().renew(KEY, THEIRS).remaining()).isPositive();
        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.NEWER);
        bob().done(KEY, THEIRS, AttributePatch.putting("rows", 3));

        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.NEWER);
        assertThat(status().state()).isEqualTo(LeaseState.DONE);
        assertThat(status().attributes()).isEqualTo(METADATA.with("rows", 3));
    }

    @Test
    void aSecondImportWritesOnlyRowsThatHaveChanged() {
        ImportTarget target = target();
        Key other = Key.of("order-43");
        target.write(List.of(row(KEY, "1", term(), null), row(other, "1", term(), null)));
        LeaseStatus first = status();

        List<ImportedRow> again = List.of(row(KEY, "1", Duration.ZERO, null), row(other, "2", Duration.ZERO, DONE));
        assertThat(target.preview(again)).containsExactly(ImportOutcome.UNCHANGED, ImportOutcome.UPDATED);
        assertThat(target.write(again)).containsExactly(ImportOutcome.UNCHANGED, ImportOutcome.UPDATED);

        assertThat(status().entry()).isEqualTo(first.entry());
        assertThat(bob().tryAcquire(other, renewed())).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    void anImportNeverOverwritesAnEntryThatAClientChanged() {
        ImportTarget target = target();
        Lease lease = acquire(bob(), KEY);
        ImportedRow row = row(KEY, "1", Duration.ZERO, DONE);

        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.CONFLICT);
        lease.renew();
        lease.release();
        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.CONFLICT);
        bob().delete(KEY);
        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.CONFLICT);
        assertThat(bob().tryAcquire(KEY, renewed()).isGranted()).isTrue();
    }

    @Test
    void aStoreInTheLayoutOfAnotherToolRefusesImports() {
        Assumptions.assumeFalse(dialect().equals(StoreDialect.NATIVE), "this is Holdfast's own layout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ((ImportingLeases) ann()).importTarget())
                .withMessage("store: layout " + dialect().name() + " (expected: a store in Holdfast's own layout)");
    }

    @Test
    void anImportRacingAnAcquireHasExactlyOneWinner() {
        ImportTarget target = target();
        List<Key> keys = new ArrayList<>();
        List<ImportedRow> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            keys.add(Key.of("race-" + i));
            rows.add(row(keys.get(i), "1", Duration.ZERO, DONE));
        }
        List<CompletableFuture<AcquireResult>> acquired = keys.stream()
                .map(key -> bob().async().tryAcquire(key, unrenewed()).toCompletableFuture())
                .toList();
        List<ImportOutcome> outcomes = target.write(rows);

        for (int i = 0; i < keys.size(); i++) {
            AcquireResult result = soon(acquired.get(i));
            boolean imported = outcomes.get(i) == ImportOutcome.ADDED;
            assertThat(result).isInstanceOf(imported ? AcquireResult.Done.class : AcquireResult.Granted.class);
            assertThat(outcomes.get(i)).isIn(ImportOutcome.ADDED, ImportOutcome.CONFLICT);
            result.granted().ifPresent(Lease::renew);
        }
    }
}
