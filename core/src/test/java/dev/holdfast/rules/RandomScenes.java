package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.ANCHOR;
import static dev.holdfast.rules.Examples.ANCHOR_FENCE;
import static dev.holdfast.rules.Examples.ANCHOR_PATIENCE;
import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.NOW;
import static dev.holdfast.rules.Examples.PATIENCE;
import static dev.holdfast.rules.Examples.TERM;
import static dev.holdfast.rules.Examples.US;
import static dev.holdfast.rules.Examples.anchorHeld;
import static dev.holdfast.rules.Examples.token;
import static dev.holdfast.rules.Examples.version;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Token;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random inputs of the rules: requests of a few tokens, with knowledge that may be fresh, stale or missing. */
final class RandomScenes {
    private static final int TOKENS = 3;
    private static final int REMEMBERED = 3;
    private static final long MILLIS_OF_A_DAY = Duration.ofDays(1).toMillis();
    // Far less than clean-up allows for.
    private static final int SKEW_SECONDS = 3600;

    private final Random random;
    private final Deque<Entry> past = new ArrayDeque<>();
    private Instant time = NOW;
    private int versions = 1000;

    RandomScenes(long seed) {
        this.random = new Random(seed);
    }

    /** All inputs of a decision. */
    record Scene(
            LeaseRequest request,
            @Nullable ObservedEntry seen,
            @Nullable ObservedEntry anchor,
            WriteStamp stamp) {
        Decision decide(DecisionRules decisionRules) {
            return decisionRules.decide(KEY, request, seen, anchor, stamp);
        }

        @Nullable
        Entry entry() {
            return seen == null ? null : seen.entry();
        }
    }

    Scene next(@Nullable Entry stored) {
        boolean dayPasses = chance(20);
        time = time.plusMillis(dayPasses ? random.nextLong(20 * MILLIS_OF_A_DAY) : random.nextLong(2_000));
        Instant writersClock = time.plusSeconds(random.nextLong(2L * SKEW_SECONDS) - SKEW_SECONDS);
        return new Scene(
                request(), observed(stored), anchor(), Examples.stamp(version(versions++), writersClock, Fence.NONE));
    }

    /** Remembers a stored entry, to show it when it has become stale. */
    void note(@Nullable Entry stored) {
        if (stored == null) {
            return;
        }
        past.addLast(stored);
        if (past.size() > REMEMBERED) {
            past.removeFirst();
        }
    }

    private LeaseRequest request() {
        Token token = anyToken();
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> new LeaseRequest.Acquire(token, US, TERM, patch(), anchorRef());
            case 4, 5 -> new LeaseRequest.Renew(token, chance(2) ? null : TERM, patch());
            case 6 -> new LeaseRequest.Release(token);
            case 7 -> new LeaseRequest.Done(token, patch());
            case 8 -> new LeaseRequest.Update(token, patch());
            case 9 -> new LeaseRequest.Reopen();
            case 10 -> new LeaseRequest.Delete(chance(2) ? null : token);
            case 11 -> new LeaseRequest.EvictExpired();
            case 12 -> Examples.EVICT_BY_FORCE;
            case 13 ->
                new LeaseRequest.HandOver(token, new LeaseRequest.Acquire(anyToken(), US, TERM, patch(), anchorRef()));
            case 14 -> new LeaseRequest.ReleaseUndelivered(token, beat());
            default -> new LeaseRequest.CleanUp(chance(2) ? null : Duration.ofDays(random.nextInt(10)));
        };
    }

    private Token anyToken() {
        return token(random.nextInt(TOKENS));
    }

    /** The beat of the last grant, or one that no grant has. */
    private Beat beat() {
        Grant last = past.isEmpty() ? null : past.getLast().grant();
        return last == null || chance(4) ? Beat.of(version(1)) : last.beat();
    }

    private AttributePatch patch() {
        String name = List.of("a", "b", "c").get(random.nextInt(3));
        return switch (random.nextInt(4)) {
            case 0 -> AttributePatch.NONE;
            case 1 -> AttributePatch.removing(name);
            case 2 -> AttributePatch.replaceWith(Attributes.of(name, "only"));
            default -> AttributePatch.putting(name, random.nextLong(100));
        };
    }

    private @Nullable AnchorRef anchorRef() {
        return chance(2) ? null : new AnchorRef(ANCHOR, anchorFence());
    }

    private Fence anchorFence() {
        return chance(4) ? Fence.of(ANCHOR_FENCE.value() + 1) : ANCHOR_FENCE;
    }

    private @Nullable ObservedEntry observed(@Nullable Entry stored) {
        if (chance(10)) {
            return null;
        }
        Entry shown = chance(10) && !past.isEmpty() ? past.getFirst() : stored;
        return shown == null ? Examples.ABSENT : observed(shown, PATIENCE);
    }

    private @Nullable ObservedEntry anchor() {
        return switch (random.nextInt(6)) {
            case 0 -> null;
            case 1 -> ObservedEntry.absent(10 + random.nextInt(3), 13);
            case 2 -> observed(anchorHeld().freed(version(72)), ANCHOR_PATIENCE);
            default -> observed(anchorHeld(anchorFence()), ANCHOR_PATIENCE);
        };
    }

    /** Shows {@code entry} around the moment that {@code patience} ends, with or without an age, or long after. */
    private ObservedEntry observed(Entry entry, Duration patience) {
        Duration length = chance(4) ? Duration.ofDays(random.nextInt(20)) : around(patience);
        Duration sinceAnswer = chance(2) ? Duration.ZERO : Duration.ofMillis(random.nextInt(1000));
        ObservedEntry observedEntry = chance(2)
                ? Examples.observed(entry, length.minus(sinceAnswer), sinceAnswer, Duration.ZERO)
                : Examples.observed(entry, null, sinceAnswer, length);
        return entry.key().equals(ANCHOR) && chance(3) ? Examples.early(observedEntry) : observedEntry;
    }

    private Duration around(Duration patience) {
        return switch (random.nextInt(4)) {
            case 0 -> patience;
            case 1 -> patience.minusNanos(1);
            case 2 -> patience.plusNanos(1);
            default -> Duration.ofMillis(random.nextLong(2 * patience.toMillis()));
        };
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }
}
