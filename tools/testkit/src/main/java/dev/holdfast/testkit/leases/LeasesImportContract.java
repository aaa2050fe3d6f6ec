package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tests of importing rows of other tools while clients work. Only for clients that can import. */
interface LeasesImportContract extends LeasesSteps {
    Token THEIRS = Token.of(UUID.fromString("0b44c2ea-7f3c-4c1c-9d57-5f6f8f0f3a11"));
    Instant CREATED = Instant.parse("2020-02-03T04:05:06.789012Z");
    Instant DONE = Instant.parse("2021-02-03T04:05:06.789012Z");
    Attributes METADATA = Attributes.of("path", "a/b").with("size", "17");

    private ImportTarget target() {
        Assumptions.assumeTrue(
                ann() instanceof ImportingLeases && dialect().equals(StoreDialect.NATIVE),
                "only a client on a store in Holdfast's own layout imports");
        return ((ImportingLeases) ann()).importTarget();
    }

    private static ImportedRow row(Key key, String fingerprint, Duration left, @Nullable Instant doneAt) {
        var grant = new ImportedRow.LastGrant(THEIRS, Holder.of("worker-9"), left, DONE);
        return new ImportedRow(key, fingerprint, Fence.of(7), 12, grant, METADATA, CREATED, doneAt);
    }

    @Test
    default void anImportedDoneKeyIsNotGrantedAndKeepsItsFields() {
        var target = target();
        List<ImportedRow> rows = List.of(row(KEY, "1", Duration.ZERO, DONE));
        assertThat(target.preview(rows)).containsExactly(ImportOutcome.ADDED);
        assertThat(bob().get(KEY)).isEmpty();

        assertThat(target.write(rows)).containsExactly(ImportOutcome.ADDED);

        assertDone(bob(), KEY);
        assertThat(status(bob()).state()).isEqualTo(LeaseState.DONE);
        assertThat(status(bob()).entry().doneAt()).isEqualTo(DONE);
        assertThat(status(bob()).entry().createdAt()).isEqualTo(CREATED);
        assertThat(status(bob()).entry().grants()).isEqualTo(12);
        assertThat(status(bob()).attributes()).isEqualTo(METADATA);
        assertThat(status(bob()).holder()).contains(Holder.of("worker-9"));
    }

    @Test
    default void anImportedHolderKeepsTheKeyUntilItsTermEnds() {
        target().write(List.of(row(KEY, "1", term(), null)));

        var held = assertHeld(bob().tryAcquire(KEY, renewed()));
        assertThat(held.holder()).isEqualTo(Holder.of("worker-9"));

        var taken = takeOver(bob(), KEY);
        assertThat(taken.fence().isAbove(Fence.of(7))).isTrue();
        assertThat(taken.attributes()).isEqualTo(METADATA);
        assertThat(status(bob()).entry().grants()).isEqualTo(13);
    }

    @Test
    default void anImportedHolderContinuesWithItsToken() {
        var target = target();
        var row = row(KEY, "1", term(), null);
        target.write(List.of(row));

        assertThat(bob().renew(KEY, THEIRS).remaining()).isPositive();
        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.NEWER);
        bob().done(KEY, THEIRS, AttributePatch.putting("rows", 3));

        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.NEWER);
        assertThat(status(bob()).state()).isEqualTo(LeaseState.DONE);
        assertThat(status(bob()).attributes()).isEqualTo(METADATA.with("rows", 3));
    }

    @Test
    default void aSecondImportWritesOnlyRowsThatHaveChanged() {
        var target = target();
        Key other = Key.of("order-43");
        target.write(List.of(row(KEY, "1", term(), null), row(other, "1", term(), null)));
        var first = status(bob());

        List<ImportedRow> again = List.of(row(KEY, "1", Duration.ZERO, null), row(other, "2", Duration.ZERO, DONE));
        assertThat(target.preview(again)).containsExactly(ImportOutcome.UNCHANGED, ImportOutcome.UPDATED);
        assertThat(target.write(again)).containsExactly(ImportOutcome.UNCHANGED, ImportOutcome.UPDATED);

        assertThat(status(bob()).entry()).isEqualTo(first.entry());
        assertDone(bob(), other);
    }

    @Test
    default void anImportNeverOverwritesAnEntryThatAClientChanged() {
        var target = target();
        var lease = acquire(bob(), KEY);
        var row = row(KEY, "1", Duration.ZERO, DONE);

        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.CONFLICT);
        lease.renew();
        lease.release();
        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.CONFLICT);
        bob().delete(KEY);
        assertThat(target.write(List.of(row))).containsExactly(ImportOutcome.CONFLICT);
        assertThat(bob().tryAcquire(KEY, renewed()).isGranted()).isTrue();
    }

    @Test
    default void aStoreInTheLayoutOfAnotherToolRefusesImports() {
        Assumptions.assumeFalse(dialect().equals(StoreDialect.NATIVE), "this is Holdfast's own layout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ((ImportingLeases) ann()).importTarget())
                .withMessage("store: layout " + dialect().name() + " (expected: a store in Holdfast's own layout)");
    }

    @Test
    default void anImportRacingAnAcquireHasExactlyOneWinner() {
        var target = target();
        List<Key> keys = new ArrayList<>();
        List<ImportedRow> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            keys.add(Key.of("race-" + i));
            rows.add(row(keys.get(i), "1", Duration.ZERO, DONE));
        }
        var acquired = keys.stream()
                .map(key -> bob().async().tryAcquire(key, unrenewed()))
                .toList();
        var outcomes = target.write(rows);

        for (int i = 0; i < keys.size(); i++) {
            var result = soon(acquired.get(i));
            boolean imported = outcomes.get(i) == ImportOutcome.ADDED;
            assertThat(result).isInstanceOf(imported ? AcquireResult.Done.class : AcquireResult.Granted.class);
            assertThat(outcomes.get(i)).isIn(ImportOutcome.ADDED, ImportOutcome.CONFLICT);
            result.granted().ifPresent(lease -> lease.renew());
        }
    }
}
