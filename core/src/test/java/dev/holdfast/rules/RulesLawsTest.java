package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.RULES;
import static dev.holdfast.rules.Examples.STEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Fence;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends random requests for one key, and checks every decision against the laws. */
class RulesLawsTest {
    private static final long SEED = 20260102;
    private static final int STEPS = 40_000;

    @Test
    void everyDecisionObeysTheLaws() {
        assertThat(run(RULES.decisions()))
                .as("what the run came across, so that it proves something")
                .contains(EVERYTHING);
    }

    @ParameterizedTest
    @MethodSource("plantedBugs")
    void theLawsFindAPlantedBug(DecisionRules buggy) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> run(buggy));
    }

    static Stream<Named<DecisionRules>> plantedBugs() {
        return Stream.of(
                Named.of(
                        "a nanosecond too impatient",
                        new DecisionRules(new ExpiryRules(STEP.minusNanos(1)), new FenceRules())),
                Named.of("a fence from the clock alone", new DecisionRules(new ExpiryRules(STEP), new ClockFences())),
                Named.of(
                        "a fence forgotten too early", new DecisionRules(new ExpiryRules(STEP), new ForgetfulFences())),
                Named.of(
                        "an expired lease recorded as released",
                        new DecisionRules(new ExpiryRules(STEP), new FenceRules(), new PoliteHistory())),
                Named.of("takes from an expired anchor", new AnchorSkipping()),
                Named.of("releases without its token", new TokenBlind()));
    }

    /** Runs all steps, and returns the pairs of request and decision that occurred. */
    private static Set<String> run(DecisionRules decisionRules) {
        RandomScenes scenes = new RandomScenes(SEED);
        Set<String> met = new TreeSet<>();
        Entry stored = null;
        Fence highest = Fence.NONE;
        for (int step = 0; step < STEPS; step++) {
            RandomScenes.Scene scene = scenes.next(stored);
            Decision decision = scene.decide(decisionRules);
            try {
                new Laws(scene, decision).check();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + SEED + ", step " + step + ": " + scene + " -> " + decision, e);
            }
            met.add(scene.request().getClass().getSimpleName() + " "
                    + decision.getClass().getSimpleName());
            if (decision instanceof Decision.Write write && applies(write.change(), stored)) {
                stored = write.change().next();
                scenes.note(stored);
                highest = stored != null && Laws.isGrant(scene) ? higher(stored.fence(), highest) : highest;
            }
        }
        return met;
    }

    /** Fences grow across deletion and clean-up, too. */
    private static Fence higher(Fence granted, Fence highest) {
        assertThat(granted).isGreaterThan(highest);
        return granted;
    }

    private static boolean applies(Change change, @Nullable Entry stored) {
        return stored == null ? change.expected() == null : stored.version().equals(change.expected());
    }

    private static final String[] EVERYTHING = {
        "Acquire Write",
        "Acquire Held",
        "Acquire Finished",
        "Acquire ReadFirst",
        "Acquire EvictFirst",
        "Renew Write",
        "Renew Lost",
        "Renew ReadFirst",
        "Release Write",
        "Release Lost",
        "Release Already",
        "Release ReadFirst",
        "Done Write",
        "Done Lost",
        "Done Already",
        "Done ReadFirst",
        "Update Write",
        "Update Lost",
        "Update ReadFirst",
        "Reopen Write",
        "Reopen Held",
        "Reopen Already",
        "Reopen ReadFirst",
        "Reopen EvictFirst",
        "Delete Write",
        "Delete Held",
        "Delete Already",
        "Delete ReadFirst",
        "Delete EvictFirst",
        "EvictExpired Write",
        "EvictExpired Held",
        "EvictExpired Already",
        "EvictExpired ReadFirst",
        "EvictExpired EvictFirst",
        "EvictByForce Write",
        "EvictByForce Already",
        "EvictByForce ReadFirst",
        "CleanUp Write",
        "CleanUp Already",
        "CleanUp ReadFirst"
    };

    private static final class ClockFences extends FenceRules {
        @Override
        protected Fence next(Fence last, WriteStamp writeStamp) {
            return Fence.of(micros(writeStamp.now()));
        }
    }

    private static final class ForgetfulFences extends FenceRules {
        @Override
        protected boolean isPast(Fence fence, Instant now) {
            return true;
        }
    }

    private static final class PoliteHistory extends HistoryRules {
        PoliteHistory() {
            super(5);
        }

        @Override
        protected GrantEnd endOf(EntryStanding standing) {
            return GrantEnd.RELEASED;
        }
    }

    private static final class AnchorSkipping extends DecisionRules {
        AnchorSkipping() {
            super(new ExpiryRules(STEP), new FenceRules());
        }

        @Override
        protected Decision anchorSilent(Scene scene, Supplier<Decision> otherwise) {
            return otherwise.get();
        }
    }

    private static final class TokenBlind extends DecisionRules {
        TokenBlind() {
            super(new ExpiryRules(STEP), new FenceRules());
        }

        @Override
        protected Decision release(LeaseRequest.Release request, Scene scene) {
            return evictByForce(Examples.EVICT_BY_FORCE, scene);
        }
    }
}
