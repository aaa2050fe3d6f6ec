package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.KEY;
import static dev.holdfast.rules.Examples.OURS;
import static dev.holdfast.rules.Examples.PATIENCE;
import static dev.holdfast.rules.Examples.STAMP;
import static dev.holdfast.rules.Examples.STEP;
import static dev.holdfast.rules.Examples.THEIRS;
import static dev.holdfast.rules.Examples.acquire;
import static dev.holdfast.rules.Examples.held;
import static dev.holdfast.rules.Examples.seen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.StoreFeature;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleSetTest {
    @Test
    void aStoreWhoseClockJumpsFartherIsGivenMoreTime() {
        Duration justExpired = PATIENCE;

        assertThat(taken(RuleSet.of(STEP), justExpired)).isInstanceOf(Decision.Write.class);
        assertThat(taken(RuleSet.of(STEP.plusMillis(1)), justExpired)).isInstanceOf(Decision.Held.class);
        assertThat(taken(RuleSet.of(new StoreTraits(0, 1, STEP)), justExpired)).isInstanceOf(Decision.Write.class);
        assertThat(taken(RuleSet.of(new StoreTraits(0, 1, STEP.plusMillis(1))), justExpired))
                .isInstanceOf(Decision.Held.class);
    }

    @Test
    void aClientKeepsAsManyLinesOfHistoryAsItIsConfiguredFor() {
        StoreTraits store = new StoreTraits(0, 1, STEP);
        StoreTraits other = new StoreTraits(0, 1, STEP, StoreDialect.of("other").without(Set.of(StoreFeature.HISTORY)));

        assertThat(RuleSet.of(store, 3).decisions().history().length()).isEqualTo(3);
        assertThat(RuleSet.of(store).decisions().history().length()).isEqualTo(GrantHistory.USUAL_LINES);
        assertThat(RuleSet.of(other, 3).decisions().history().length()).isZero();
    }

    @Test
    void aStoreWithoutFencesGrantsWithoutThem() {
        StoreDialect bare = StoreDialect.of("bare").without(Set.of(StoreFeature.FENCE));
        RuleSet rules = RuleSet.of(new StoreTraits(0, 1, STEP, bare));

        Decision granted = rules.decisions().decide(KEY, acquire(OURS), Examples.ABSENT, null, STAMP);

        assertThat(Examples.change(granted).next())
                .satisfies(entry -> assertThat(entry.fence()).isEqualTo(Fence.NONE));
        assertThat(rules.features().has(StoreFeature.FENCE)).isFalse();
    }

    /** The decision about a lease of another holder whose beat has this age. */
    private static Decision taken(RuleSet rules, Duration age) {
        return rules.decisions().decide(KEY, acquire(OURS), seen(held(THEIRS), age), null, STAMP);
    }
}
