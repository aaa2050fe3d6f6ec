package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.ABSENT;
import static dev.holdfast.rules.Examples.ATTRIBUTES;
import static dev.holdfast.rules.Examples.CREATED;
import static dev.holdfast.rules.Examples.DONE_AT;
import static dev.holdfast.rules.Examples.FRESH;
import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.NOW;
import static dev.holdfast.rules.Examples.OURS;
import static dev.holdfast.rules.Examples.RULES;
import static dev.holdfast.rules.Examples.STAMP;
import static dev.holdfast.rules.Examples.THEIRS;
import static dev.holdfast.rules.Examples.US;
import static dev.holdfast.rules.Examples.acquire;
import static dev.holdfast.rules.Examples.decide;
import static dev.holdfast.rules.Examples.deleted;
import static dev.holdfast.rules.Examples.done;
import static dev.holdfast.rules.Examples.freed;
import static dev.holdfast.rules.Examples.held;
import static dev.holdfast.rules.Examples.live;
import static dev.holdfast.rules.Examples.version;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ImportRulesTest {
    private static final Duration LEFT = Duration.ofMinutes(9).plusNanos(1);
    private static final Instant ENDS = NOW.plus(Duration.ofMinutes(9));

    private static ImportedRow heldRow(String fingerprint) {
        return row(fingerprint, Fence.NONE, new LastGrant(THEIRS, US, LEFT, ENDS), null);
    }

    private static ImportedRow doneRow(String fingerprint) {
        return row(fingerprint, Fence.NONE, new LastGrant(THEIRS, US, Duration.ZERO, ENDS), DONE_AT);
    }

    private static ImportedRow endedRow(String fingerprint) {
        return row(fingerprint, Fence.NONE, new LastGrant(THEIRS, US, Duration.ZERO, NOW.minusSeconds(9)), null);
    }

    private static ImportedRow row(
            String fingerprint, Fence fence, @Nullable LastGrant grant, @Nullable Instant doneAt) {
        return new ImportedRow(KEY, fingerprint, fence, 4, grant, ATTRIBUTES, CREATED, doneAt);
    }

    private static LeaseRequest.Import request(ImportedRow row) {
        return new LeaseRequest.Import(row, THEIRS);
    }

    /** The entry after the import of {@code row}, if the store had {@code before}. */
    private static Entry imported(ImportedRow row, @Nullable Entry before) {
        Change change = Examples.change(decide(request(row), before == null ? ABSENT : live(before)));
        assertThat(change.expected()).isEqualTo(before == null ? null : before.version());
        return requireNonNull(change.next());
    }

    @Test
    void aLiveHandleIsHeldByItsOwnTokenForTheRestOfItsTime() {
        Entry entry = imported(heldRow("a"), null);

        assertThat(entry.state()).isEqualTo(LeaseState.HELD);
        assertThat(entry.isHeldBy(THEIRS)).isTrue();
        Grant grant = requireNonNull(entry.grant());
        assertThat(grant.holder()).isEqualTo(US);
        // Never less than the time that was left.
        assertThat(grant.term()).isEqualTo(Term.of(Duration.ofMinutes(9).plusMillis(1)));
        assertThat(grant.beat().id()).isEqualTo(entry.version().id());
        assertThat(entry.grants()).isEqualTo(4);
        assertThat(entry.attributes()).isEqualTo(ATTRIBUTES);
        assertThat(entry.createdAt()).isEqualTo(CREATED);
    }

    @Test
    void aTimeLeftOfWholeMillisecondsIsKeptExactly() {
        Duration whole = Duration.ofMinutes(9);
        Entry entry = imported(row("a", Fence.NONE, new LastGrant(THEIRS, US, whole, ENDS), null), null);

        assertThat(requireNonNull(entry.grant()).term()).isEqualTo(Term.of(whole));
    }

    @Test
    void aHeldRowBeginsItsTermWithTheImport() {
        assertThat(requireNonNull(imported(heldRow("a"), null).grant()).grantedAt())
                .isEqualTo(NOW);
    }

    /** Holdfast has no times before 1970. */
    @Test
    void aGrantThatEndedLongAgoBeganInOurTime() {
        LastGrant ancient = new LastGrant(THEIRS, US, Duration.ZERO, Instant.EPOCH);

        Entry entry = imported(row("a", Fence.NONE, ancient, null), null);

        assertThat(requireNonNull(entry.grant()).grantedAt()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void aRowOfWhichNothingIsKnownAgreesWithEveryEntry() {
        ImportedRow empty = new ImportedRow(KEY, "a", Fence.NONE, 1, null, Attributes.NONE, CREATED, null);

        assertThat(ImportRules.outcome(empty, held(OURS))).isEqualTo(ImportOutcome.NEWER);
        assertThat(ImportRules.outcome(empty, done(OURS))).isEqualTo(ImportOutcome.NEWER);
    }

    @Test
    void aDoneNameIsDoneAsItWas() {
        Entry entry = imported(doneRow("a"), null);

        assertThat(entry.state()).isEqualTo(LeaseState.DONE);
        assertThat(entry.doneAt()).isEqualTo(DONE_AT);
        assertThat(entry.grants()).isEqualTo(4);
        assertThat(entry.attributes()).isEqualTo(ATTRIBUTES);
        assertThat(requireNonNull(entry.grant()).grantedAt()).isEqualTo(ENDS.minusMillis(1));
        assertThat(decide(acquire(OURS), live(entry))).isInstanceOf(Decision.Finished.class);
    }

    @Test
    void anExpiredHandleIsFreeAndKeepsItsCountsAndAttributes() {
        Entry entry = imported(endedRow("a"), null);

        assertThat(entry.state()).isEqualTo(LeaseState.FREE);
        assertThat(entry.grants()).isEqualTo(4);
        assertThat(entry.attributes()).isEqualTo(ATTRIBUTES);
        assertThat(Examples.change(decide(acquire(OURS), live(entry))).expected())
                .isEqualTo(entry.version());
    }

    @Test
    void aRowOfWhichNothingIsKnownIsNotWritten() {
        ImportedRow empty = new ImportedRow(KEY, "a", Fence.NONE, 1, null, Attributes.NONE, CREATED, null);

        assertThat(ImportRules.outcome(empty, null)).isEqualTo(ImportOutcome.EMPTY);
        assertThat(decide(request(empty), ABSENT)).isInstanceOf(Decision.Already.class);
        // It frees a key that an earlier import wrote as held.
        assertThat(imported(empty, imported(heldRow("b"), null)).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void theSameRowIsWrittenOnce() {
        for (ImportedRow row : List.of(heldRow("a"), doneRow("a"), endedRow("a"))) {
            Entry entry = imported(row, null);

            assertThat(ImportRules.outcome(row, entry)).isEqualTo(ImportOutcome.UNCHANGED);
            assertThat(decide(request(row), live(entry))).isEqualTo(new Decision.Already(entry));
        }
    }

    @Test
    void theFingerprintDecidesAndNotTheTimeThatHasPassed() {
        Entry entry = imported(heldRow("a"), null);
        ImportedRow later = row("a", Fence.NONE, new LastGrant(THEIRS, US, Duration.ofSeconds(1), ENDS), null);

        assertThat(ImportRules.outcome(later, entry)).isEqualTo(ImportOutcome.UNCHANGED);
        assertThat(ImportRules.outcome(endedRow("a"), entry)).isEqualTo(ImportOutcome.UNCHANGED);
    }

    @Test
    void aRowThatChangedSinceThePreCopyIsWrittenAgain() {
        Entry before = imported(heldRow("a"), null);

        assertThat(ImportRules.outcome(doneRow("b"), before)).isEqualTo(ImportOutcome.UPDATED);
        assertThat(imported(doneRow("b"), before).state()).isEqualTo(LeaseState.DONE);
        assertThat(imported(endedRow("b"), before).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aKeyThatWasImportedAsDoneStaysDone() {
        Entry done = imported(doneRow("b"), null);

        for (ImportedRow stale : List.of(heldRow("a"), endedRow("a"))) {
            assertThat(ImportRules.outcome(stale, done)).isEqualTo(ImportOutcome.CONFLICT);
            assertThat(decide(request(stale), live(done))).isEqualTo(new Decision.Already(done));
        }
        assertThat(ImportRules.outcome(doneRow("c"), done)).isEqualTo(ImportOutcome.UPDATED);
    }

    @Test
    void anythingThatHoldfastWroteIsNeverOverwritten() {
        Entry imported = imported(heldRow("a"), null);
        Entry renewed = requireNonNull(
                Examples.change(decide(new LeaseRequest.Renew(THEIRS, null, AttributePatch.NONE), live(imported)))
                        .next());
        List<Entry> touched = List.of(
                held(OURS),
                held(THEIRS),
                freed(OURS),
                done(OURS),
                deleted(),
                renewed,
                imported.freed(FRESH),
                imported.withAttributes(FRESH, Attributes.NONE),
                imported.withVersion(FRESH));
        for (Entry entry : touched) {
            for (ImportedRow row : List.of(heldRow("b"), doneRow("b"), endedRow("b"))) {
                assertThat(decide(request(row), live(entry))).isEqualTo(new Decision.Already(entry));
            }
        }
    }

    @Test
    void aRowThatContradictsHoldfastsEntryIsAConflict() {
        assertThat(ImportRules.outcome(doneRow("a"), done(OURS))).isEqualTo(ImportOutcome.NEWER);
        assertThat(ImportRules.outcome(doneRow("a"), freed(OURS))).isEqualTo(ImportOutcome.CONFLICT);
        assertThat(ImportRules.outcome(doneRow("a"), deleted())).isEqualTo(ImportOutcome.CONFLICT);
        assertThat(ImportRules.outcome(heldRow("a"), held(OURS))).isEqualTo(ImportOutcome.CONFLICT);
        assertThat(ImportRules.outcome(heldRow("a"), done(OURS))).isEqualTo(ImportOutcome.CONFLICT);
        // The same holder continued here: it renewed, finished or released.
        assertThat(ImportRules.outcome(heldRow("a"), held(THEIRS))).isEqualTo(ImportOutcome.NEWER);
        assertThat(ImportRules.outcome(heldRow("a"), done(THEIRS))).isEqualTo(ImportOutcome.NEWER);
        assertThat(ImportRules.outcome(heldRow("a"), freed(THEIRS))).isEqualTo(ImportOutcome.NEWER);
        assertThat(ImportRules.outcome(endedRow("a"), held(OURS))).isEqualTo(ImportOutcome.NEWER);
    }

    @Test
    void laterFencesAreAboveAllThatWereImported() {
        Fence high = Fence.of(FenceRules.micros(NOW) + 1_000_000);
        Entry entry = imported(row("a", high, new LastGrant(THEIRS, US, LEFT, ENDS), null), null);
        assertThat(entry.fence()).isEqualTo(high);

        Entry released = entry.freed(version(901));
        Entry granted = requireNonNull(
                Examples.change(decide(acquire(OURS), live(released))).next());
        assertThat(granted.fence().isAbove(high)).isTrue();
        // Holdfast's own fences, and a floor, are above a small counter of the other tool.
        Fence floor = Fence.of(FenceRules.micros(NOW) + 5_000_000);
        WriteStamp writeStamp = Examples.stamp(FRESH, NOW, floor);
        Decision decision = RULES.decisions().decide(KEY, request(heldRow("a")), ABSENT, null, writeStamp);
        assertThat(requireNonNull(Examples.change(decision).next()).fence().isAbove(floor))
                .isTrue();
    }

    @Test
    void theFenceOfTheSameGrantStaysAndThatOfAnotherGrows() {
        Entry before = imported(heldRow("a"), null);

        assertThat(imported(heldRow("b"), before).fence()).isEqualTo(before.fence());
        LeaseRequest.Import other =
                new LeaseRequest.Import(row("b", Fence.NONE, new LastGrant(OURS, US, LEFT, ENDS), null), OURS);
        Entry after =
                requireNonNull(Examples.change(decide(other, live(before))).next());
        assertThat(after.fence().isAbove(before.fence())).isTrue();
    }

    @Test
    void givingUpAWriteInDoubtLeavesAnEntryThatAnImportMayStillWrite() {
        SettlementRules settlementRules = RULES.settlement();
        Change insert = Examples.change(decide(request(heldRow("a")), ABSENT));
        Entry empty = requireNonNull(settlementRules.bar(insert, null, STAMP).next());
        assertThat(empty.state()).isEqualTo(LeaseState.FREE);
        assertThat(ImportRules.outcome(heldRow("a"), empty)).isEqualTo(ImportOutcome.UPDATED);

        Entry imported = imported(heldRow("a"), null);
        WriteStamp later = Examples.stamp(version(901), NOW, Fence.NONE);
        Change update = Examples.change(decide(request(doneRow("b")), live(imported)));
        Entry kept = requireNonNull(settlementRules.bar(update, imported, later).next());
        assertThat(kept.version()).isNotEqualTo(imported.version());
        assertThat(ImportRules.outcome(heldRow("a"), kept)).isEqualTo(ImportOutcome.UNCHANGED);
        assertThat(ImportRules.outcome(doneRow("b"), kept)).isEqualTo(ImportOutcome.UPDATED);
        // An acquire that was given up has changed nothing either. On a key without an entry, it leaves an entry of
        // Holdfast.
        Change grab = Examples.change(decide(acquire(OURS), live(imported.freed(imported.version()))));
        Entry still = requireNonNull(settlementRules.bar(grab, imported, later).next());
        assertThat(ImportRules.outcome(heldRow("a"), still)).isEqualTo(ImportOutcome.UNCHANGED);
        Entry ours = requireNonNull(settlementRules
                .bar(Examples.change(decide(acquire(OURS), ABSENT)), null, STAMP)
                .next());
        assertThat(ImportRules.outcome(doneRow("a"), ours)).isEqualTo(ImportOutcome.CONFLICT);
    }

    @Test
    void noOtherVersionHasTheMark() {
        Random random = new Random(1);
        Entry entry = held(OURS);
        for (int i = 0; i < 100_000; i++) {
            // Also versions that happen to be UUIDs of version 8.
            long first = (random.nextLong() & ~0xf000L) | 0x8000L;
            Version version = Version.of(new UUID(first, random.nextLong()));
            assertThat(ImportMark.isOn(entry.withVersion(version))).isFalse();
        }
        assertThat(ImportMark.isOn(entry)).isFalse();
    }

    @Test
    void aMarkIsOfItsKeyAndNeverTheSameTwice() {
        Version one = ImportMark.version(KEY, ImportMark.digest("a"), version(1));
        Version two = ImportMark.version(KEY, ImportMark.digest("a"), version(2));
        assertThat(one).isNotEqualTo(two);
        assertThat(ImportMark.isOn(held(OURS).withVersion(one))).isTrue();

        Entry elsewhere = Entry.empty(Key.of("jobs", "weekly"), one, Fence.NONE, NOW);
        assertThat(ImportMark.isOn(elsewhere)).isFalse();
    }

    /** Entries that an import of another version wrote must be recognized. */
    @Test
    void theMarkIsTheSameInEveryVersion() {
        Version fresh = Version.of(new UUID(0x0123_4567_89ab_4cdeL, 0x8fed_cba9_8765_4321L));

        assertThat(ImportMark.version(KEY, ImportMark.digest("a"), fresh).id())
                .isEqualTo(UUID.fromString("fdd8435c-7ade-8218-957e-73a987654321"));
    }

    @Test
    void aRowThatExceedsALimitIsRefusedWithTheReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new ImportedRow(Key.of("~x", "a"), "f", Fence.NONE, 1, null, Attributes.NONE, CREATED, null))
                .withMessage(
                        "namespace: ~x (expected: one that does not begin with ~, which is reserved for Holdfast)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LastGrant(THEIRS, US, Duration.ofDays(8), ENDS))
                .withMessage("time left: P8D (expected: >= PT0S and <= P7D)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LastGrant(Token.HIDDEN, US, LEFT, ENDS))
                .withMessageStartingWith("token: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LastGrant(THEIRS, US, LEFT, Instant.MAX))
                .withMessageStartingWith("ends: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> row("a", Fence.of(Long.MAX_VALUE), null, null))
                .withMessageStartingWith("fence: ");
    }
}
