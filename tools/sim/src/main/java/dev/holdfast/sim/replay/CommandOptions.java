package dev.holdfast.sim.replay;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a command: each has a value. */
final class CommandOptions {
    private final Map<String, String> values = new HashMap<>();

    /** @param arguments the first is the name of the command */
    CommandOptions(String[] arguments, Set<String> known) {
        for (int i = 1; i < arguments.length; i += 2) {
            if (!known.contains(arguments[i]) || i + 1 == arguments.length) {
                String given = String.join(" ", Arrays.asList(arguments).subList(i, arguments.length));
                throw new IllegalArgumentException(
                        "options: " + given + " (expected: " + known + ", each with a value)");
            }
            values.put(arguments[i], arguments[i + 1]);
        }
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    @Nullable
    Long number(String name) {
        String value = values.get(name);
        try {
            return value == null ? null : Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: a whole number)", e);
        }
    }

    /** A time in seconds, in nanoseconds. */
    @Nullable
    Long nanos(String name) {
        String value = values.get(name);
        try {
            return value == null ? null : Math.round(Double.parseDouble(value) * 1e9);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: seconds, such as 12.5)", e);
        }
    }
}
