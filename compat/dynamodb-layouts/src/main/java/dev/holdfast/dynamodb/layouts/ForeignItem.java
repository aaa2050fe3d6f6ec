package dev.holdfast.dynamodb.layouts;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Item as returned by the service, or as we are about to write it. Another program may have written any value. */
record ForeignItem(Map<String, AttributeValue> values) {
    static final ForeignItem NONE = new ForeignItem(Map.of());

    public ForeignItem {
        values = Map.copyOf(values);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    @Nullable
    AttributeValue get(String name) {
        return values.get(name);
    }

    /** Returns the text under {@code name}; empty if it is missing or not a text. */
    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(AttributeValue::s);
    }

    /** Returns the whole number under {@code name}; empty if it is missing, not a whole number, or too large. */
    Optional<Long> number(String name) {
        String digits =
                Optional.ofNullable(values.get(name)).map(AttributeValue::n).orElse("");
        try {
            return digits.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(digits).longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns this item as it will be if a write is applied; empty values are removed. */
    ForeignItem after(Map<String, Optional<AttributeValue>> written) {
        Map<String, AttributeValue> after = new HashMap<>(values);
        written.forEach((name, value) -> value.ifPresentOrElse(it -> after.put(name, it), () -> after.remove(name)));
        return new ForeignItem(after);
    }

    /** Returns only the attributes in {@code names}. */
    ForeignItem only(Iterable<String> names) {
        Map<String, AttributeValue> some = new HashMap<>();
        for (String name : names) {
            AttributeValue value = values.get(name);
            if (value != null) {
                some.put(name, value);
            }
        }
        return new ForeignItem(some);
    }
}
