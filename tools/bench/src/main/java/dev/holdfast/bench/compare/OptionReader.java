package dev.holdfast.bench.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The options of a command line; each is taken out as it is read. */
final class OptionReader {
    private final List<String> rest;

    OptionReader(List<String> arguments) {
        rest = new ArrayList<>(arguments);
    }

    boolean flag(String name) {
        return rest.remove(name);
    }

    String text(String name, String otherwise) {
        int at = rest.indexOf(name);
        if (at < 0) {
            return otherwise;
        }
        if (at + 1 == rest.size()) {
            throw new IllegalArgumentException(name + " (expected: a value)");
        }
        rest.remove(at);
        return rest.remove(at);
    }

    int number(String name, int otherwise) {
        return positive(name, text(name, String.valueOf(otherwise)));
    }

    List<Integer> numbers(String name, String otherwise) {
        return Arrays.stream(text(name, otherwise).split(",", -1))
                .map(each -> positive(name, each))
                .toList();
    }

    private static int positive(String name, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw new IllegalArgumentException(name + ": " + text + " (expected: a number)");
    }

    void rejectRest() {
        if (!rest.isEmpty()) {
            throw new IllegalArgumentException("unknown option: " + rest.get(0));
        }
    }
}
