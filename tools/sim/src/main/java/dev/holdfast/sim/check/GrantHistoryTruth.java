package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 8: every line of a history is a grant that happened, with the end that it had. No line is missing, except for
 * grants that an older process ended, and no line ever appears for those.
 *
 * <p>The checker keeps its own account of every key, from the changes that the store applied. How a grant ended is judged
 * by the shape of the change, by the process that wrote it, by the true age of the beat, and by the state of the anchor.
 */
public final class GrantHistoryTruth extends InvariantChecker {
    private static final String INVARIANT = "8, histories are true";
    /** Importers and servers are processes with such names. */
    private static final String IMPORTER = "importer";

    private static final String SERVER = "server-";
    private static final String UNSTARTED_SERVER = "unstarted-";

    private final Map<Key, List<PastGrant>> recorded = new HashMap<>();
    private final Map<Key, Entry> current = new HashMap<>();
    private final Map<Beat, Long> beatNanos = new HashMap<>();
    private final Set<String> evictions = new HashSet<>();
    private final Set<String> older = new HashSet<>();
    private @Nullable SimProcess writer;

    @Override
    public void olderCode(SimProcess process) {
        older.add(process.name());
    }

    @Override
    public void writing(@Nullable SimProcess process) {
        writer = process;
    }

    @Override
    public void began(SimulatedCall call) {
        if (call.name().equals("evict")) {
            evictions.add(call.key() + " by " + call.process().name());
        }
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after == null) {
            recorded.remove(key);
            current.remove(key);
            return;
        }
        current.put(key, after);
        if (after.grant() != null) {
            beatNanos.putIfAbsent(after.grant().beat(), nowNanos());
        }
        List<PastGrant> expected = new ArrayList<>(recorded.getOrDefault(key, List.of()));
        if (after.grants() == 0 || isImported(before, after)) {
            expected.clear();
        } else if (before != null && before.state() == LeaseState.HELD && isEnded(before, after) && !isOlder()) {
            PastGrant line = after.history().last().orElse(null);
            if (!isLineOf(before, line)) {
                violated(INVARIANT, "the end of " + before + " was recorded as " + line);
                return;
            }
            requireTrueEnd(before, after, Objects.requireNonNull(line));
            expected.add(line);
        }
        List<PastGrant> last =
                expected.subList(Math.max(0, expected.size() - GrantHistory.USUAL_LINES), expected.size());
        if (!after.history().lines().equals(last)) {
            violated(INVARIANT, key + " has the history " + after.history() + " and had the grants " + last);
        }
        recorded.put(key, new ArrayList<>(last));
    }

    /** An importer replaces entries by rows of another tool, and bars its own changes as any other client does. */
    private boolean isImported(@Nullable Entry before, Entry after) {
        boolean isBar = before != null && before.withVersion(after.version()).equals(after);
        return writer != null && writer.name().startsWith(IMPORTER) && !isBar;
    }

    private boolean isOlder() {
        return writer != null && older.contains(writer.name());
    }

    private static boolean isEnded(Entry before, Entry after) {
        return after.state() != LeaseState.HELD || after.grants() != before.grants();
    }

    private static boolean isLineOf(Entry before, @Nullable PastGrant line) {
        Grant grant = Objects.requireNonNull(before.grant());
        return line != null
                && line.number() == before.grants()
                && line.fence().equals(before.fence())
                && line.holder().equals(grant.holder())
                && line.grantedAt().equals(grant.grantedAt());
    }

    private void requireTrueEnd(Entry before, Entry after, PastGrant line) {
        boolean isTrue = switch (line.end()) {
            case RELEASED, UNDELIVERED -> after.state() == LeaseState.FREE && isByHolder(line);
            case HANDED_OVER -> after.state() == LeaseState.HELD && isByHolder(line);
            case DONE -> after.state() == LeaseState.DONE;
            case EVICTED -> after.state() == LeaseState.FREE && isEvicted(after.key(), line);
            case EXPIRED -> after.state() != LeaseState.DONE && isExpired(before);
            case ORPHANED -> after.state() != LeaseState.DONE && isOrphaned(before);
        };
        boolean isKnownTime = line.endedAt().isPresent();
        if (!isTrue || isKnownTime == (line.end() == GrantEnd.EXPIRED || line.end() == GrantEnd.ORPHANED)) {
            violated(
                    INVARIANT,
                    "not the end of " + before + ", written by " + (writer == null ? "a transaction" : writer.name())
                            + ": " + line);
        }
    }

    /** Holders write for themselves, except through servers. A worker of a fleet has the fleet's name before its own. */
    private boolean isByHolder(PastGrant line) {
        String name = writer == null ? "" : writer.name();
        String holder = line.holder().name();
        return holder.equals(name)
                || holder.endsWith("/" + name)
                || name.startsWith(SERVER)
                || name.startsWith(UNSTARTED_SERVER);
    }

    private boolean isEvicted(Key key, PastGrant line) {
        return line.actor() != null
                && line.reason() != null
                && (evictions.contains(key + " by " + line.actor())
                        || !key.namespace().equals("sim"));
    }

    /** Clocks differ by at most one in a thousand, so a term has passed by any clock. */
    private boolean isExpired(Entry before) {
        Grant grant = Objects.requireNonNull(before.grant());
        long since = nowNanos() - beatNanos.getOrDefault(grant.beat(), 0L);
        return grant.anchor() == null && since >= grant.term().duration().toNanos() * 99 / 100;
    }

    private boolean isOrphaned(Entry before) {
        AnchorRef anchor = Objects.requireNonNull(before.grant()).anchor();
        Entry held = anchor == null ? null : current.get(anchor.key());
        boolean isAlive = anchor != null
                && held != null
                && held.state() == LeaseState.HELD
                && held.fence().equals(anchor.fence());
        return anchor != null && !isAlive;
    }
}
