package dev.holdfast.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Token;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandOverQuotaTest {
    private final HandOverQuota quota = new HandOverQuota(0);

    /** The hand-overs until the limit; then the key is released. */
    private int handOvers() {
        int count = 0;
        while (quota.allowsNext(0)) {
            count++;
        }
        return count;
    }

    @Test
    void theLimitDoublesWhileNoOtherProcessTakesTheKey() {
        assertThat(handOvers()).isEqualTo(16);
        quota.regained();
        assertThat(handOvers()).isEqualTo(31);
        for (int i = 0; i < 10; i++) {
            quota.regained();
            handOvers();
        }
        quota.regained();
        assertThat(handOvers()).isEqualTo(511);
    }

    @Test
    void theLimitIsLowAgainOnceAnotherProcessTookTheKey() {
        handOvers();
        quota.regained();
        handOvers();

        quota.heldBy(Token.of(UUID.randomUUID()));
        quota.regained();

        assertThat(handOvers()).isEqualTo(15);
    }

    @Test
    void aRequestThatFindsAnotherOneOfItsProcessDoesNotLowerTheLimit() {
        handOvers();
        quota.regained();
        Token ours = Token.of(UUID.randomUUID());
        quota.granted(ours);

        quota.heldBy(ours);

        assertThat(handOvers()).isEqualTo(31);
    }

    /** A request that found no others waiting acquired the key again, unnoticed by the queue. */
    @Test
    void theCountBeginsAnewAfterTheLimit() {
        assertThat(handOvers()).isEqualTo(16);

        assertThat(handOvers()).isEqualTo(16);
    }

    /** A release met an attempt of its own process, and so did not hand the key over. */
    @Test
    void anAcquireOfTheSameProcessCountsAsAHandOver() {
        quota.allowsNext(0);

        quota.regained();

        assertThat(handOvers()).isEqualTo(14);
    }

    @Test
    void theCountBeginsAnewAfterAnotherProcessHadTheKey() {
        quota.allowsNext(0);

        quota.heldBy(Token.of(UUID.randomUUID()));

        assertThat(handOvers()).isEqualTo(16);
    }

    @Test
    void thePauseBeginsAtTheLimitAndAnewWithTheRelease() {
        long pauseNanos = HandOverQuota.PAUSE.toNanos();
        assertThat(quota.pauseLeftNanos(0)).isZero();
        quota.allowsNext(0);
        quota.released(10);
        assertThat(quota.pauseLeftNanos(10)).as("an ordinary release").isNotPositive();
        handOvers();
        assertThat(quota.pauseLeftNanos(0)).isEqualTo(pauseNanos);

        quota.released(20);
        assertThat(quota.pauseLeftNanos(20)).isEqualTo(pauseNanos);

        quota.released(30);
        assertThat(quota.pauseLeftNanos(20)).as("only the first release").isEqualTo(pauseNanos);
        assertThat(quota.pauseLeftNanos(20 + pauseNanos)).isZero();
    }
}
