package dev.holdfast.bench.contender;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;

/** A line between the benchmark and a contender's process: a verb and named values. */
public record TurnMessage(String verb, Map<String, String> fields) {
    public TurnMessage {
        fields = Map.copyOf(fields);
    }

    public static TurnMessage of(String verb) {
        return new TurnMessage(verb, Map.of());
    }

    public TurnMessage with(String name, Object value) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.put(name, String.valueOf(value));
        return new TurnMessage(verb, all);
    }

    public static TurnMessage parse(String line) {
        String[] parts = line.split(" ", -1);
        TurnMessage message = of(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            message = message.with(
                    parts[i].substring(0, equals), URLDecoder.decode(parts[i].substring(equals + 1), UTF_8));
        }
        return message;
    }

    public String text(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(this + " (expected: " + name + ")");
        }
        return value;
    }

    public long number(String name) {
        return Long.parseLong(text(name));
    }

    public double decimal(String name) {
        return Double.parseDouble(text(name));
    }

    public boolean isTrue(String name) {
        return Boolean.parseBoolean(text(name));
    }

    public boolean has(String name) {
        return fields.containsKey(name);
    }

    /** The line, which {@link #parse} reads. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(verb);
        fields.forEach(
                (name, value) -> line.append(' ').append(name).append('=').append(URLEncoder.encode(value, UTF_8)));
        return line.toString();
    }
}
