package dev.holdfast.sim.replay;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.sim.replay.RecordedMessage.RecordedCall;
import dev.holdfast.sim.world.StoreRequest;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.WriteOutcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The words for requests, answers and changes of the store. */
final class EventWords {
    /** The tokens remembered at most: many more than are in use at one time. */
    private static final int TOKENS_MAX = 1000;

    /** The last beat that the store had of each token. It distinguishes a renewal from an acquire. */
    private final Map<Token, Beat> beats = new BoundedMap<>(TOKENS_MAX);

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
    }

    static List<String> texts(List<Key> keys) {
        return keys.stream().map(Key::toString).toList();
    }

    RecordedCall call(String lane, StoreRequest request) {
        if (request instanceof StoreRequest.Read read) {
            List<String> keys = texts(read.keys());
            return new RecordedCall(lane, keys, "read", "read " + joined(keys));
        } else if (request instanceof StoreRequest.Write write) {
            List<String> keys = texts(write.changes().stream().map(Change::key).toList());
            String label =
                    write.changes().stream().map(this::verb).distinct().limit(2).collect(Collectors.joining(", "));
            String phrase = write.changes().stream()
                    .limit(3)
                    .map(change -> verb(change) + " " + change.key())
                    .collect(Collectors.joining(", "));
            int more = keys.size() - 3;
            return new RecordedCall(lane, keys, label, more > 0 ? phrase + " and " + more + " more" : phrase);
        }
        return new RecordedCall(lane, List.of(), "list", "list entries");
    }

    private static String joined(List<String> keys) {
        int more = keys.size() - 3;
        String first = keys.stream().limit(3).collect(Collectors.joining(", "));
        return more > 0 ? first + " and " + more + " more" : first;
    }

    private String verb(Change change) {
        Entry next = change.next();
        Grant grant = next == null ? null : next.grant();
        if (next == null) {
            return "delete";
        } else if (next.state() == LeaseState.DONE) {
            return "mark as done";
        } else if (next.state() == LeaseState.FREE || grant == null) {
            return grant == null ? "write" : "release";
        }
        Beat known = beats.get(grant.token());
        return known == null ? "acquire" : known.equals(grant.beat()) ? "update" : "renew";
    }

    String answer(@Nullable Object answer) {
        if (answer instanceof Throwable failure) {
            return "failed (" + failure.getMessage() + ")";
        } else if (answer instanceof ScanPage page) {
            return page.entries().size() + " entries";
        } else if (answer instanceof List<?> results) {
            return results.stream().map(EventWords::one).distinct().limit(3).collect(Collectors.joining(", "));
        }
        return one(answer);
    }

    private static String one(@Nullable Object result) {
        if (result instanceof WriteOutcome.Applied) {
            return "applied";
        } else if (result instanceof WriteOutcome.Conflict) {
            return "not applied, the entry has changed";
        } else if (result instanceof WriteOutcome.Failed failed) {
            return "failed (" + failed.failure().getMessage() + ")";
        } else if (result instanceof Optional<?> found) {
            return found.isPresent() ? "found" : "no entry";
        }
        return "answered";
    }

    /** The change of a key in the store, as a sentence. */
    String change(String writer, Key key, @Nullable Entry before, @Nullable Entry after) {
        Grant grant = after == null ? null : after.grant();
        if (after == null) {
            return "The store deletes " + key + " for " + writer + ".";
        } else if (after.state() == LeaseState.DONE) {
            return isIn(before, LeaseState.DONE)
                    ? "The store changes " + key + ", which stays done."
                    : "The store marks " + key + " as done for " + writer + ".";
        } else if (after.state() == LeaseState.FREE || grant == null) {
            return freed(writer, key, before);
        }
        Beat known = beats.put(grant.token(), grant.beat());
        if (before != null && before.isHeldBy(grant.token())) {
            return grant.beat().equals(known)
                    ? "The store updates " + key + " for " + writer + "; the term stays the same."
                    : "The store renews " + key + " for " + grant.holder() + ", fence " + after.fence() + ".";
        }
        String granted = "The store grants " + key + " to " + grant.holder() + " with fence " + after.fence() + " for "
                + seconds(grant.term().duration().toNanos());
        return granted + (isIn(before, LeaseState.HELD) ? ", taken over from " + holder(before) + "." : ".");
    }

    private static String freed(String writer, Key key, @Nullable Entry before) {
        if (isIn(before, LeaseState.HELD)) {
            return "The store frees " + key + ", held by " + holder(before) + ", for " + writer + ".";
        }
        return isIn(before, LeaseState.DONE)
                ? "The store opens " + key + " again for " + writer + "."
                : "The store writes " + key + " for " + writer + "; it stays free.";
    }

    private static boolean isIn(@Nullable Entry entry, LeaseState state) {
        return entry != null && entry.state() == state;
    }

    private static String holder(@Nullable Entry entry) {
        return entry == null || entry.grant() == null
                ? "no holder"
                : entry.grant().holder() + " (fence " + entry.fence() + ")";
    }
}
