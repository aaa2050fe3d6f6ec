package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.UnsupportedFeatureException;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FeatureRulesTest {
    private static final Key NAME = Key.of("nightly");
    private static final LeaseRequest.Acquire PLAIN =
            new LeaseRequest.Acquire(OURS, US, Term.ofMillis(5_000), AttributePatch.NONE, null);
    private static final LeaseRequest.Acquire ANCHORED =
            new LeaseRequest.Acquire(OURS, US, Term.ofMillis(5_000), AttributePatch.NONE, THROUGH_ANCHOR);

    @Test
    void aStoreInHoldfastsOwnLayoutAcceptsEveryRequest() {
        FeatureRules all = new FeatureRules(StoreDialect.NATIVE);

        assertThatNoException().isThrownBy(() -> {
            all.require(KEY, acquire(OURS));
            all.require(KEY, ANCHORED);
            all.require(KEY, new LeaseRequest.Done(OURS, PATCH));
            all.require(KEY, new LeaseRequest.CleanUp(null));
        });
    }

    @Test
    void eachRequestIsRefusedWhereAFeatureItNeedsIsLacking() {
        assertRefused(StoreFeature.ATTRIBUTES, NAME, acquire(OURS));
        assertRefused(StoreFeature.ATTRIBUTES, NAME, new LeaseRequest.Renew(OURS, null, PATCH, THEIRS));
        assertRefused(StoreFeature.ATTRIBUTES, NAME, new LeaseRequest.Update(OURS, AttributePatch.NONE));
        assertRefused(StoreFeature.ANCHORS, NAME, ANCHORED);
        assertRefused(StoreFeature.ANCHORS, ANCHOR, new LeaseRequest.Release(OURS));
        assertRefused(StoreFeature.NAMESPACES, KEY, PLAIN);
        assertRefused(StoreFeature.DONE, NAME, new LeaseRequest.Done(OURS, AttributePatch.NONE));
        assertRefused(StoreFeature.DONE, NAME, new LeaseRequest.Reopen());
        assertRefused(StoreFeature.LASTING_TOKEN, NAME, new LeaseRequest.Renew(OURS, null, AttributePatch.NONE));
        assertRefused(StoreFeature.CLEAN_UP, NAME, new LeaseRequest.CleanUp(null));
    }

    @Test
    void requestsWithoutSpecialNeedsAreAlwaysPossible() {
        FeatureRules none = new FeatureRules(StoreDialect.of("bare").without(EnumSet.allOf(StoreFeature.class)));

        for (LeaseRequest leaseRequest : List.of(
                PLAIN,
                new LeaseRequest.Renew(OURS, null, AttributePatch.NONE, THEIRS),
                new LeaseRequest.Release(OURS),
                new LeaseRequest.Delete(OURS),
                Examples.EVICT_BY_FORCE,
                new LeaseRequest.EvictExpired())) {
            assertThatNoException().as("%s", leaseRequest).isThrownBy(() -> none.require(NAME, leaseRequest));
        }
    }

    @Test
    void aRefusalNamesTheLayoutAndAWayOut() {
        FeatureRules none = new FeatureRules(StoreDialect.of("bare").without(EnumSet.allOf(StoreFeature.class)));

        for (StoreFeature storeFeature : StoreFeature.values()) {
            assertThat(none.has(storeFeature)).isFalse();
            assertThatExceptionOfType(UnsupportedFeatureException.class)
                    .isThrownBy(() -> none.require(storeFeature, NAME))
                    .withMessageStartingWith("nightly: layout bare cannot ")
                    .withMessageContaining("use a store in Holdfast's own layout");
        }
    }

    @Test
    void aTermMustFitTheLimitsOfTheOtherTool() {
        FeatureRules bound =
                new FeatureRules(StoreDialect.of("shared").takenAfter(Duration.ofSeconds(10), Duration.ofSeconds(5)));

        assertThatNoException().isThrownBy(() -> bound.require(NAME, forTerm(5_001)));
        assertThatNoException().isThrownBy(() -> bound.require(NAME, forTerm(10_000)));
        for (int millis : new int[] {1, 5_000, 10_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.require(NAME, forTerm(millis)))
                    .withMessageContaining("(expected: > PT5S and <= PT10S, as layout shared shares its table)");
            assertThatIllegalArgumentException()
                    .as("by a renewal")
                    .isThrownBy(() -> bound.require(
                            NAME, new LeaseRequest.Renew(OURS, Term.ofMillis(millis), AttributePatch.NONE)))
                    .withMessageContaining("(expected: > PT5S and <= PT10S");
        }
    }

    private static LeaseRequest forTerm(int millis) {
        return new LeaseRequest.Acquire(OURS, US, Term.ofMillis(millis), AttributePatch.NONE, null);
    }

    /** Asserts that a store without the feature rejects the request, and that a store with it accepts the request. */
    private static void assertRefused(StoreFeature storeFeature, Key key, LeaseRequest leaseRequest) {
        FeatureRules without = new FeatureRules(StoreDialect.of("bare").without(Set.of(storeFeature)));
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> without.require(key, leaseRequest))
                .satisfies(e -> assertThat(e.power()).isEqualTo(storeFeature));
        assertThatNoException().isThrownBy(() -> new FeatureRules(StoreDialect.NATIVE).require(key, leaseRequest));
    }
}
