package dev.holdfast.cli.fleet;

import dev.holdfast.AttributeValue;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.output.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Labels on the command line, as {@code LABEL=VALUE}. */
final class LabelPairs {
    private LabelPairs() {}

    /** The values of each label. */
    private static Map<String, List<String>> parse(String option, List<String> pairs) {
        Map<String, List<String>> values = new TreeMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1 || equals == pair.length() - 1) {
                throw bad(option, pair, "LABEL=VALUE");
            }
            values.computeIfAbsent(pair.substring(0, equals), it -> new ArrayList<>())
                    .add(pair.substring(equals + 1));
        }
        return values;
    }

    /** The labels of a worker. */
    static Map<String, String> labels(String option, List<String> pairs) {
        Map<String, String> labels = new TreeMap<>();
        parse(option, pairs).forEach((label, values) -> {
            if (values.size() > 1) {
                throw bad(option, label + "=" + values.get(1), "each label once");
            }
            labels.put(label, values.get(0));
        });
        return labels;
    }

    /** The conditions of a unit. A label that is given several times accepts each of the values. */
    static AttributeValue conditions(String option, List<String> pairs) {
        Map<String, AttributeValue> conditions = new TreeMap<>();
        parse(option, pairs)
                .forEach((label, values) -> conditions.put(
                        label,
                        values.size() == 1
                                ? AttributeValue.of(values.get(0))
                                : new AttributeValue.ListOf(
                                        values.stream().map(AttributeValue::of).toList())));
        return new AttributeValue.MapOf(conditions);
    }

    private static CommandFailure bad(String option, String pair, String expected) {
        return CommandFailure.usage(option + ": '" + VisibleText.shortened(pair) + "' (expected: " + expected + ")");
    }
}
