package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class FenceTest {
    @Test
    void aFenceIsNotNegative() {
        assertThatIllegalArgumentException().isThrownBy(() -> Fence.of(-1)).withMessage("fence: -1 (expected: >= 0)");
    }

    @Test
    void aKeyThatWasNeverGrantedHasTheSmallestFence() {
        assertThat(Fence.NONE).isEqualTo(Fence.of(0)).isLessThan(Fence.of(1));
    }

    @Test
    void fencesAreOrderedByTheirNumber() {
        assertThat(Fence.of(9)).isLessThan(Fence.of(10));
        assertThat(Fence.of(Long.MAX_VALUE)).isGreaterThan(Fence.of(Long.MAX_VALUE - 1));
        assertThat(Fence.of(7)).isEqualByComparingTo(Fence.of(7));
    }

    @Test
    void aFenceIsNotAboveItself() {
        assertThat(Fence.of(7).isAbove(Fence.of(7))).isFalse();
        assertThat(Fence.of(6).isAbove(Fence.of(7))).isFalse();
        assertThat(Fence.of(8).isAbove(Fence.of(7))).isTrue();
    }

    @Test
    void aFenceReadsAsItsNumber() {
        assertThat(Fence.of(1_767_323_045_678_901L)).hasToString("1767323045678901");
    }
}
