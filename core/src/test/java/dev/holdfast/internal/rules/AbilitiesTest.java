package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.model.Term;
import dev.holdfast.model.UnsupportedPowerException;
import dev.holdfast.spi.Dialect;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AbilitiesTest {
    private static final Key NAME = Key.of("nightly");
    private static final Request.Acquire PLAIN =
            new Request.Acquire(OURS, US, Term.ofMillis(5_000), AttributePatch.NONE, null);
    private static final Request.Acquire ANCHORED =
            new Request.Acquire(OURS, US, Term.ofMillis(5_000), AttributePatch.NONE, THROUGH_ANCHOR);

    @Test
    void aStoreInHoldfastsOwnLayoutIsAskedForAnything() {
        Abilities all = new Abilities(Dialect.NATIVE);

        assertThatNoException().isThrownBy(() -> {
            all.require(KEY, acquire(OURS));
            all.require(KEY, ANCHORED);
            all.require(KEY, new Request.Done(OURS, PATCH));
            all.require(KEY, new Request.CleanUp(null));
        });
    }

    @Test
    void eachRequestIsRefusedWhereWhatItNeedsIsLacking() {
        assertRefused(Power.ATTRIBUTES, NAME, acquire(OURS));
        assertRefused(Power.ATTRIBUTES, NAME, new Request.Renew(OURS, null, PATCH, THEIRS));
        assertRefused(Power.ATTRIBUTES, NAME, new Request.Update(OURS, AttributePatch.NONE));
        assertRefused(Power.ANCHORS, NAME, ANCHORED);
        assertRefused(Power.ANCHORS, ANCHOR, new Request.Release(OURS));
        assertRefused(Power.NAMESPACES, KEY, PLAIN);
        assertRefused(Power.DONE, NAME, new Request.Done(OURS, AttributePatch.NONE));
        assertRefused(Power.DONE, NAME, new Request.Reopen());
        assertRefused(Power.LASTING_TOKEN, NAME, new Request.Renew(OURS, null, AttributePatch.NONE));
        assertRefused(Power.CLEAN_UP, NAME, new Request.CleanUp(null));
    }

    @Test
    void whatNeedsNothingSpecialIsAlwaysPossible() {
        Abilities none = new Abilities(Dialect.of("bare").without(EnumSet.allOf(Power.class)));

        for (Request request : List.of(
                PLAIN,
                new Request.Renew(OURS, null, AttributePatch.NONE, THEIRS),
                new Request.Release(OURS),
                new Request.Delete(OURS),
                new Request.EvictByForce(),
                new Request.EvictSilent())) {
            assertThatNoException().as("%s", request).isThrownBy(() -> none.require(NAME, request));
        }
    }

    @Test
    void aRefusalNamesTheLayoutAndAWayOut() {
        Abilities none = new Abilities(Dialect.of("bare").without(EnumSet.allOf(Power.class)));

        for (Power power : Power.values()) {
            assertThat(none.has(power)).isFalse();
            assertThatExceptionOfType(UnsupportedPowerException.class)
                    .isThrownBy(() -> none.require(power, NAME))
                    .withMessageStartingWith("nightly: layout bare cannot ")
                    .withMessageContaining("use a store in Holdfast's own layout");
        }
    }

    @Test
    void aTermMustFitBetweenWhatOthersAllow() {
        Abilities bound = new Abilities(Dialect.of("shared").takenAfter(Duration.ofSeconds(10), Duration.ofSeconds(5)));

        assertThatNoException().isThrownBy(() -> bound.require(NAME, forTerm(5_001)));
        assertThatNoException().isThrownBy(() -> bound.require(NAME, forTerm(10_000)));
        for (int millis : new int[] {1, 5_000, 10_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.require(NAME, forTerm(millis)))
                    .withMessageContaining("(expected: > PT5S and <= PT10S, as layout shared shares its table)");
            assertThatIllegalArgumentException()
                    .as("by a renewal")
                    .isThrownBy(() ->
                            bound.require(NAME, new Request.Renew(OURS, Term.ofMillis(millis), AttributePatch.NONE)))
                    .withMessageContaining("(expected: > PT5S and <= PT10S");
        }
    }

    private static Request forTerm(int millis) {
        return new Request.Acquire(OURS, US, Term.ofMillis(millis), AttributePatch.NONE, null);
    }

    /** That it is refused by a store that lacks the power, and taken by one that has it. */
    private static void assertRefused(Power power, Key key, Request request) {
        Abilities without = new Abilities(Dialect.of("bare").without(Set.of(power)));
        assertThatExceptionOfType(UnsupportedPowerException.class)
                .isThrownBy(() -> without.require(key, request))
                .satisfies(e -> assertThat(e.power()).isEqualTo(power));
        assertThatNoException().isThrownBy(() -> new Abilities(Dialect.NATIVE).require(key, request));
    }
}
