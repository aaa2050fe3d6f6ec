package dev.holdfast.dynamodb.foreign;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item as the service gave it, or as we are about to make it. Whoever wrote it may have written anything. */
public record ForeignItem(Map<String, AttributeValue> values) {
    static final ForeignItem NONE = new ForeignItem(Map.of());

    public ForeignItem {
        values = Map.copyOf(values);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    @Nullable
    AttributeValue get(String name) {
        return values.get(name);
    }

    /** The text under {@code name}; empty if there is none, or something else. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(AttributeValue::s);
    }

    /** The whole number under {@code name}; empty if there is none, something else, or one beyond all reason. */
    Optional<Long> number(String name) {
        String digits =
                Optional.ofNullable(values.get(name)).map(AttributeValue::n).orElse("");
        try {
            return digits.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(digits).longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Only what is under {@code names}. */
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
