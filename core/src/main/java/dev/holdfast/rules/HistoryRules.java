package dev.holdfast.rules;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the history of a key. The write that ends a grant records it, and no other write does: so a line exists
 * if and only if that end was stored.
 *
 * <ul>
 *   <li>Renewals, updates, and writes that bar a doubtful change keep the history as it is.
 *   <li>A write that ends or makes a grant keeps the last lines only, as many as its client is configured for.
 *   <li>Deletion and clean-up remove the history, as they remove all but the fence.
 *   <li>A history in the format of a newer version stays as it is. The grant is then missing in it, as it is after a
 *       client that keeps none.
 * </ul>
 *
 * <p>Stateless. Methods can be overridden so that the simulator's tests can plant bugs in them.
 */
public class HistoryRules {
    /** Keeps as many lines as a client that is not configured otherwise. */
    public static final HistoryRules USUAL = new HistoryRules(GrantHistory.USUAL_LINES);

    /** The end of a reason that was cut. */
    private static final String CUT = "...";

    private final int length;

    /** @param length the lines that are kept; 0 for none */
    public HistoryRules(int length) {
        this.length = GrantHistory.requireLength(length);
    }

    /** The lines that are kept. */
    public int length() {
        return length;
    }

    /** The entry with its current grant in its history. The caller ends the grant in the same write. */
    protected Entry ended(Entry entry, GrantEnd end, WriteStamp writeStamp) {
        return with(entry, line(entry, end, writeStamp, null, null));
    }

    /** Like {@link #ended}, for a grant that is taken from its holder by force. */
    protected Entry evicted(Entry entry, LeaseRequest.EvictByForce request, WriteStamp writeStamp) {
        return with(entry, line(entry, GrantEnd.EVICTED, writeStamp, request.actor(), kept(request.reason())));
    }

    /**
     * The entry before it is granted to another holder that did not get it from the last one. If it is still stored as held,
     * its last grant has ended without a write.
     */
    protected Entry taken(Entry entry, EntryStanding standing, WriteStamp writeStamp) {
        if (entry.state() != LeaseState.HELD) {
            return with(entry, null);
        }
        return ended(entry, endOf(standing), writeStamp);
    }

    /** How a grant ended that is stored as held, and can be taken. */
    protected GrantEnd endOf(EntryStanding standing) {
        return standing.kind() == EntryStanding.Kind.ORPHANED ? GrantEnd.ORPHANED : GrantEnd.EXPIRED;
    }

    private static PastGrant line(
            Entry entry, GrantEnd end, WriteStamp writeStamp, @Nullable Holder actor, @Nullable String reason) {
        Grant grant = requireNonNull(entry.grant());
        Instant now = writeStamp.now();
        return new PastGrant(entry.grants(), grant.holder(), entry.fence(), grant.grantedAt(), end, now, actor, reason);
    }

    private Entry with(Entry entry, @Nullable PastGrant line) {
        GrantHistory history = entry.history();
        if (length == 0) {
            return history.isEmpty() ? entry : entry.withHistory(GrantHistory.NONE);
        }
        if (!history.isReadable() || (line == null && history.lines().size() <= length)) {
            return entry;
        }
        List<PastGrant> lines = new ArrayList<>(history.lines());
        if (line != null) {
            // Not the history of this key, if it already has a line that is not older: of a restored copy, perhaps.
            lines.removeIf(old -> old.number() >= line.number()
                    || old.fence().value() >= line.fence().value());
            lines.add(line);
        }
        List<PastGrant> kept = lines.subList(Math.max(0, lines.size() - length), lines.size());
        return entry.withHistory(GrantHistory.of(entry.createdAt(), kept));
    }

    /**
     * A reason as it is kept: cut if it is too long, which three dots say, and without characters that stores reject. A
     * reason must never prevent an eviction.
     */
    private static @Nullable String kept(String reason) {
        boolean isLong =
                reason.length() > SizeLimits.REASON_BYTES || ArgumentCheck.utf8Length(reason) > SizeLimits.REASON_BYTES;
        int room = SizeLimits.REASON_BYTES - (isLong ? CUT.length() : 0);
        StringBuilder kept = new StringBuilder();
        int codePoint;
        for (int i = 0; i < reason.length(); i += Character.charCount(codePoint)) {
            codePoint = reason.codePointAt(i);
            boolean isStorable = codePoint != 0 && Character.getType(codePoint) != Character.SURROGATE;
            String text = isStorable ? Character.toString(codePoint) : "?";
            room -= ArgumentCheck.utf8Length(text);
            if (room < 0) {
                break;
            }
            kept.append(text);
        }
        return reason.isEmpty() ? null : kept.append(isLong ? CUT : "").toString();
    }
}
