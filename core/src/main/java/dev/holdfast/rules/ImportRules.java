package dev.holdfast.rules;

import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the writes of an import. It may create a missing entry, and replace an entry that an import wrote and
 * that has not changed since. An entry that Holdfast has changed is newer than any row, and is kept. So is a key that
 * was imported as done.
 */
public final class ImportRules {
    private ImportRules() {}

    /** The outcome for {@code row} if the store has {@code entry}; null if the store has none. */
    public static ImportOutcome outcome(ImportedRow row, @Nullable Entry entry) {
        if (entry == null) {
            return row.isEmpty() ? ImportOutcome.EMPTY : ImportOutcome.ADDED;
        }
        if (ImportMark.isOn(entry)) {
            if (entry.state() == LeaseState.DONE && row.doneAt() == null) {
                // In the other tool done is final, too: an import that has fallen behind read this row before it was
                // done.
                return ImportOutcome.CONFLICT;
            }
            boolean isSameRow = ImportMark.digest(entry) == ImportMark.digest(row.fingerprint());
            return isSameRow ? ImportOutcome.UNCHANGED : ImportOutcome.UPDATED;
        }
        return isAgreed(row, entry) ? ImportOutcome.NEWER : ImportOutcome.CONFLICT;
    }

    private static boolean isAgreed(ImportedRow row, Entry entry) {
        if (row.doneAt() != null) {
            return entry.state() == LeaseState.DONE;
        }
        Token token = row.grant() == null ? null : row.grant().token();
        return !row.isHeld() || (token != null && entry.isOf(token));
    }

    static Decision decide(LeaseRequest.Import request, DecisionRules.Scene scene, FenceRules fenceRules) {
        Entry entry = scene.entry();
        return outcome(request.row(), entry).isWritten()
                ? scene.write(imported(request, entry, scene.stamp(), fenceRules))
                : new Decision.Already(entry);
    }

    private static Entry imported(
            LeaseRequest.Import request, @Nullable Entry entry, WriteStamp writeStamp, FenceRules fenceRules) {
        ImportedRow row = request.row();
        Version version = ImportMark.version(row.key(), ImportMark.digest(row.fingerprint()), writeStamp.version());
        LastGrant last = row.grant();
        return new Entry(
                row.key(),
                version,
                row.state(),
                fence(request, entry, writeStamp, fenceRules),
                row.grants(),
                last == null ? null : grant(request.token(), last, row.isHeld(), version, writeStamp.now()),
                row.attributes(),
                row.createdAt(),
                row.doneAt());
    }

    /**
     * A fence above all that this key ever had, in Holdfast and in the other tool. A grant that was imported before
     * keeps its fence.
     */
    private static Fence fence(
            LeaseRequest.Import request, @Nullable Entry entry, WriteStamp writeStamp, FenceRules fenceRules) {
        if (entry != null && request.row().isHeld() && entry.isHeldBy(request.token())) {
            return entry.fence();
        }
        Fence next = fenceRules.next(entry == null ? Fence.NONE : entry.fence(), writeStamp);
        return request.row().fence().isAbove(next) ? request.row().fence() : next;
    }

    /**
     * A held row begins a term here, with the time that was left in the other tool. Of an ended grant only the end is
     * known.
     */
    private static Grant grant(Token token, LastGrant last, boolean held, Version version, Instant now) {
        Term term = held ? roundedUp(last.left()) : Term.ofMillis(1);
        Instant grantedAt = held ? now : latest(Instant.EPOCH, last.endsAt().minus(term.duration()));
        return new Grant(token, last.holder(), term, Beat.of(version), grantedAt, null);
    }

    private static Instant latest(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static Term roundedUp(Duration left) {
        boolean isWhole = left.toNanos() % 1_000_000 == 0;
        return Term.ofMillis(left.toMillis() + (isWhole ? 0 : 1));
    }

    /**
     * The version of a write that changes nothing but the version, see {@link SettlementRules}: an entry with the mark
     * of an import keeps it.
     *
     * @param expected the current entry; null if there is none
     * @param barred the write that can no longer take effect after this one
     */
    static Version unchanged(Change barred, @Nullable Entry expected, WriteStamp writeStamp) {
        if (expected != null) {
            return ImportMark.isOn(expected)
                    ? ImportMark.version(expected.key(), ImportMark.digest(expected), writeStamp.version())
                    : writeStamp.version();
        }
        boolean isImport = barred.next() != null && ImportMark.isOn(barred.next());
        return isImport
                ? ImportMark.version(barred.key(), ImportMark.NO_ROW, writeStamp.version())
                : writeStamp.version();
    }
}
