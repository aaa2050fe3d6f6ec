package dev.holdfast.cli.command;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.LeaseStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** Option {@code --attr NAME=VALUE}, which may be repeated. */
public final class AttributeOption {
    private final CommandOption<List<String>> pairs;

    public AttributeOption(CommandSpec to, String description) {
        this.pairs = CommandOption.texts(to, "NAME=VALUE", description, "--attr");
    }

    public Attributes toAttributes() {
        return attributes(pairs.or(List.of()));
    }

    /** Whether the key has all of these attributes. */
    public boolean matches(LeaseStatus status) {
        for (Map.Entry<String, String> pair : pairs(pairs.or(List.of())).entrySet()) {
            AttributeValue value = status.attributes().asMap().get(pair.getKey());
            String text = value instanceof AttributeValue.Text is ? is.value() : String.valueOf(value);
            if (value == null || !text.equals(pair.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** Converts {@code NAME=VALUE} pairs to text attributes. */
    public static Attributes attributes(List<String> pairs) {
        if (pairs.isEmpty()) {
            return Attributes.NONE;
        }
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        pairs(pairs).forEach((name, value) -> values.put(name, AttributeValue.of(value)));
        return Attributes.of(values);
    }

    private static Map<String, String> pairs(List<String> pairs) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw CommandFailure.usage("attribute: '" + pair + "' (expected: NAME=VALUE)");
            }
            if (values.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
                throw CommandFailure.usage("attribute: '" + pair + "' (expected: each name once)");
            }
        }
        return values;
    }
}
