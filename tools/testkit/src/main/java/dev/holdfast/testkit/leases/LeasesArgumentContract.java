package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.SizeLimits;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that bad arguments are refused before a request is sent. */
interface LeasesArgumentContract extends LeasesSteps {
    @Test
    default void badTermsAreRefused() {
        assertRefused(() -> renewed().term(Duration.ofSeconds(-1)), "term: PT-1S (expected: > PT0S and <= P7D)");
        assertRefused(() -> renewed().term(Duration.ZERO), "term: PT0S (expected: > PT0S and <= P7D)");
        assertRefused(() -> renewed().term(Duration.ofDays(8)), "term: P8D (expected: > PT0S and <= P7D)");
        assertRefused(() -> renewed().term(Duration.ofNanos(1)), "term: PT0.000000001S (expected: whole milliseconds)");
        if (has(StoreFeature.ANCHORS)) {
            assertRefused(
                    () -> ann().async().anchor("worker", Duration.ZERO), "term: PT0S (expected: > PT0S and <= P7D)");
        }
    }

    @Test
    default void badNamesAreRefused() {
        assertRefused(() -> ann().tryAcquire(""), "name: \"\" (expected: not empty)");
        assertRefused(() -> ann().tryAcquire("a\0b"), "name: a\\u0000b (expected: no NUL character)");
        assertRefused(() -> ann().tryAcquire("a\uD83D"), "name: a\\ud83d (expected: no lone surrogate)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ann().tryAcquire("x".repeat(SizeLimits.NAME_BYTES + 1)))
                .withMessageEndingWith("(expected: <= " + SizeLimits.NAME_BYTES + " bytes of UTF-8)");
        assertRefused(() -> renewed().holder(""), "holder: \"\" (expected: not empty)");
        if (has(StoreFeature.ANCHORS)) {
            assertRefused(() -> ann().async().anchor("", term()), "holder: \"\" (expected: not empty)");
        }
    }

    @Test
    default void reservedNamespacesAreRefused() {
        assertIllegal(
                () -> ann().tryAcquire(Key.of("~mine", "a"), renewed()),
                "namespace: ~mine (expected: one that does not begin with ~");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ann().acquire(Key.ofAnchor(Holder.of("a")), renewed(), Duration.ZERO));
    }

    @Test
    default void otherBadArgumentsAreRefused() {
        assertRefused(() -> ann().acquire(KEY, renewed(), Duration.ofSeconds(-1)), "wait: PT-1S (expected: >= PT0S)");
        assertIllegal(() -> ann().evict(KEY, " "), "reason: ");
        assertIllegal(() -> ann().async().list(LeaseFilter.all(), null, 0), "limit: 0");
        assertIllegal(() -> ann().list(LeaseFilter.namespacePrefix("a\0")).count(), "prefix: ");
    }

    @Test
    default void aWaitMayBeTheLongestDuration() throws InterruptedException {
        assertThat(ann().acquire(KEY, renewed(), Duration.ofSeconds(Long.MAX_VALUE))
                        .isGranted())
                .isTrue();
    }

    @Test
    default void attributesThatTogetherExceedALimitAreRefusedAndNothingIsWritten() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes many = Attributes.NONE;
        for (int i = 0; i < SizeLimits.ATTRIBUTE_COUNT; i++) {
            many = many.with("attribute-" + i, i);
        }
        var lease = ann().tryAcquire(KEY, unrenewed().attributes(many)).orThrow();

        assertThatIllegalArgumentException().isThrownBy(() -> lease.update(AttributePatch.putting("one more", 1)));

        assertThat(status(bob()).attributes()).isEqualTo(many);
        assertThat(lease.isHeld()).isTrue();
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }
}
