package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AttributePatchTest {
    private static final Attributes BASE = Attributes.of("a", "1").with("b", 2).with("c", true);

    @Test
    void noneChangesNothing() {
        assertThat(AttributePatch.NONE.isEmpty()).isTrue();
        assertThat(AttributePatch.NONE.applyTo(BASE)).isSameAs(BASE);
    }

    @Test
    void putsAndRemovesLeaveTheOthersAlone() {
        AttributePatch patch =
                AttributePatch.putting("a", "x").put("d", 4).remove("b").remove("unknown");

        assertThat(patch.applyTo(BASE))
                .isEqualTo(Attributes.of("a", "x").with("c", true).with("d", 4));
        assertThat(patch.isEmpty()).isFalse();
    }

    @Test
    void theTextOfAPatchListsItsChanges() {
        AttributePatch patch = AttributePatch.removing("z").remove("b").put("a", true);

        assertThat(patch.replaces()).isFalse();
        assertThat(patch.puts()).isEqualTo(Attributes.NONE.with("a", true));
        assertThat(patch.removes()).containsExactly("b", "z");
        assertThat(new AttributePatch(patch.replaces(), patch.puts(), patch.removes()))
                .isEqualTo(patch);
    }

    @Test
    void everyKindOfPutCanStartAPatch() {
        assertThat(AttributePatch.putting("a", AttributeValue.of("x"))).isEqualTo(AttributePatch.putting("a", "x"));
        assertThat(AttributePatch.putting("a", 1).puts()).isEqualTo(Attributes.NONE.with("a", 1));
        assertThat(AttributePatch.putting("a", true).puts()).isEqualTo(Attributes.NONE.with("a", true));
    }

    @Test
    void theLaterChangeToANameWins() {
        assertThat(AttributePatch.putting("a", 1).remove("a")).isEqualTo(AttributePatch.removing("a"));
        assertThat(AttributePatch.removing("a").put("a", 1)).isEqualTo(AttributePatch.putting("a", 1));
        assertThat(AttributePatch.putting("a", 1).put("a", 2)).isEqualTo(AttributePatch.putting("a", 2));
        assertThat(AttributePatch.putting("a", 1)
                        .remove("b")
                        .putAll(Attributes.of("a", "x").with("b", 2)))
                .isEqualTo(AttributePatch.putting("a", "x").put("b", 2));
    }

    @Test
    void replacingDropsAllTheOthers() {
        AttributePatch patch =
                AttributePatch.replaceWith(Attributes.of("x", "1").with("y", 2));

        assertThat(patch.applyTo(BASE)).isEqualTo(Attributes.of("x", "1").with("y", 2));
        assertThat(patch.replaces()).isTrue();
    }

    @Test
    void replacingWithNothingIsAChange() {
        AttributePatch patch = AttributePatch.replaceWith(Attributes.NONE);

        assertThat(patch.isEmpty()).isFalse();
        assertThat(patch.applyTo(BASE)).isEqualTo(Attributes.NONE);
    }

    @Test
    void aReplacementCanBeChangedFurther() {
        AttributePatch patch =
                AttributePatch.replaceWith(BASE).put("d", 4).remove("a").remove("unknown");

        assertThat(patch).isEqualTo(AttributePatch.replaceWith(BASE.without("a").with("d", 4)));
    }

    @Test
    void appliedInSequenceOrAsOneTheResultIsTheSame() {
        AttributePatch first = AttributePatch.putting("d", 4).remove("a");
        AttributePatch both = first.put("a", 9).remove("d");

        assertThat(both.applyTo(BASE))
                .isEqualTo(AttributePatch.putting("a", 9).remove("d").applyTo(first.applyTo(BASE)));
    }

    @Test
    void aPatchNeverChanges() {
        Set<String> names = new HashSet<>(Set.of("a"));
        AttributePatch patch = new AttributePatch(false, Attributes.NONE, names);
        names.add("b");

        assertThat(patch.removes()).containsExactly("a");
        assertThatThrownBy(() -> patch.removes().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void impossiblePatchesAreRefused() {
        Set<String> names = Set.of("a");
        assertRefused(
                () -> new AttributePatch(true, Attributes.NONE, names),
                "removes: [a] (expected: none, since all others are dropped)");
        assertRefused(
                () -> new AttributePatch(false, BASE, names), "removes: [a] (expected: no name that is also put)");
        assertRefused(
                () -> new AttributePatch(false, Attributes.NONE, Set.of("")),
                "attribute name: \"\" (expected: not empty)");
    }

    @Test
    void removedNamesAreLimited() {
        AttributePatch patch = AttributePatch.NONE;
        for (int i = 0; i < 128; i++) {
            patch = patch.remove("n" + i);
        }
        AttributePatch full = patch;

        assertThat(full.removes()).hasSize(128);
        assertRefused(() -> full.remove("one more"), "removes: 129 names (expected: <= 128 names)");
        assertRefused(() -> AttributePatch.replaceWith(BASE).remove(""), "attribute name: \"\" (expected: not empty)");
    }

    @Test
    void aResultBeyondTheLimitsIsRefused() {
        Map<String, AttributeValue> values = new HashMap<>();
        for (int i = 0; i < 128; i++) {
            values.put("n" + i, AttributeValue.of(i));
        }
        Attributes full = Attributes.of(values);
        AttributePatch patch = AttributePatch.putting("one more", 1);

        assertRefused(() -> patch.applyTo(full), "attributes: 129 names (expected: <= 128 names)");
        assertThat(patch.remove("n0").applyTo(full).size()).isEqualTo(128);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }
}
