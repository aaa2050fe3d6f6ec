package dev.holdfast;

import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A change to {@link Attributes} that can travel as data: some names put, some removed, the others kept or dropped.
 * Immutable; each method returns a new patch, in which the later change to a name wins.
 *
 * <pre>{@code
 * AttributePatch.putting("checkpoint", 42).remove("error")
 * }</pre>
 *
 * @param replaces whether names that are not in {@code puts} are dropped; then {@code removes} is empty
 * @param puts values that are put, in place of any value there
 * @param removes names that are removed, if they are there; none of them in {@code puts}; in code point order
 */
public record AttributePatch(boolean replaces, Attributes puts, Set<String> removes) {
    /** Changes nothing. */
    public static final AttributePatch NONE = new AttributePatch(false, Attributes.NONE, Set.of());

    /** For codecs: takes the three parts as the accessors return them, and rejects parts that no patch has. */
    public AttributePatch {
        SortedSet<String> sorted = new TreeSet<>(ArgumentCheck::compareCodePoints);
        removes.forEach(name ->
                sorted.add(ArgumentCheck.nonEmptyText("attribute name", name, SizeLimits.ATTRIBUTE_NAME_BYTES)));
        if (sorted.size() > SizeLimits.ATTRIBUTE_COUNT) {
            throw ArgumentCheck.bad("removes", sorted.size() + " names", "<= " + SizeLimits.ATTRIBUTE_COUNT + " names");
        }
        if (replaces && !sorted.isEmpty()) {
            throw ArgumentCheck.bad("removes", sorted, "none, since all others are dropped");
        }
        if (!sorted.isEmpty() && !Collections.disjoint(sorted, puts.names())) {
            throw ArgumentCheck.bad("removes", sorted, "no name that is also put");
        }
        removes = Collections.unmodifiableSet(sorted);
    }

    /** Returns the patch that only puts {@code value} under {@code name}. */
    public static AttributePatch putting(String name, AttributeValue value) {
        return NONE.put(name, value);
    }

    public static AttributePatch putting(String name, String value) {
        return NONE.put(name, value);
    }

    public static AttributePatch putting(String name, long value) {
        return NONE.put(name, value);
    }

    public static AttributePatch putting(String name, boolean value) {
        return NONE.put(name, value);
    }

    /** Returns the patch that only removes {@code name}. */
    public static AttributePatch removing(String name) {
        return NONE.remove(name);
    }

    /** Returns the patch that drops all attributes and puts {@code attributes}. */
    public static AttributePatch replaceWith(Attributes attributes) {
        return new AttributePatch(true, attributes, Set.of());
    }

    /** Returns this patch, then {@code value} put under {@code name}. */
    public AttributePatch put(String name, AttributeValue value) {
        return putAll(Attributes.of(name, value));
    }

    public AttributePatch put(String name, String value) {
        return put(name, AttributeValue.of(value));
    }

    public AttributePatch put(String name, long value) {
        return put(name, AttributeValue.of(value));
    }

    public AttributePatch put(String name, boolean value) {
        return put(name, AttributeValue.of(value));
    }

    /** Returns this patch, then each of {@code attributes} put. */
    public AttributePatch putAll(Attributes attributes) {
        if (attributes.isEmpty()) {
            return this;
        }
        Set<String> left = new HashSet<>(removes);
        left.removeAll(attributes.names());
        return new AttributePatch(replaces, puts.merge(Set.of(), attributes), left);
    }

    /** Returns this patch, then {@code name} removed. */
    public AttributePatch remove(String name) {
        ArgumentCheck.nonEmptyText("attribute name", name, SizeLimits.ATTRIBUTE_NAME_BYTES);
        Set<String> names = new HashSet<>(removes);
        if (!replaces) {
            names.add(name);
        }
        return new AttributePatch(replaces, puts.without(name), names);
    }

    /** Whether this changes nothing. */
    public boolean isEmpty() {
        return !replaces && removes.isEmpty() && puts.isEmpty();
    }

    /**
     * Returns {@code attributes} as changed by this patch.
     *
     * @throws IllegalArgumentException if the result exceeds a limit of {@link SizeLimits}, which kept and put attributes can do together
     */
    public Attributes applyTo(Attributes attributes) {
        if (replaces) {
            return puts;
        }
        return isEmpty() ? attributes : attributes.merge(removes, puts);
    }
}
