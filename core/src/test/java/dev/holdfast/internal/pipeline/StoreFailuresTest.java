package dev.holdfast.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.StoreException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class StoreFailuresTest {
    private final StoreException retryable = StoreException.notApplied("busy", null);
    private final StoreException rejected = StoreException.rejected("damaged", null);

    @Test
    void aFailureOfAnAsynchronousStoreKeepsItsEffect() {
        assertThat(StoreFailures.of(new CompletionException(rejected))).isSameAs(rejected);
    }

    @Test
    void anyOtherExceptionLeavesTheEffectUnknown() {
        assertThat(StoreFailures.of(new CompletionException(new IllegalStateException()))
                        .effect())
                .isEqualTo(StoreException.Effect.UNKNOWN);
        assertThat(StoreFailures.of(new IllegalStateException()).effect()).isEqualTo(StoreException.Effect.UNKNOWN);
    }

    @Test
    void onlyARejectionIsOneBadRow() {
        assertThat(StoreFailures.isOneBadRow(rejected)).isTrue();
        assertThat(StoreFailures.isOneBadRow(retryable)).isFalse();
        assertThat(StoreFailures.isOneBadRow(StoreException.unknown("cut", null)))
                .isFalse();
    }
}
