package dev.holdfast.cli.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Signals ignored by the process that started the tests, such as nohup. Child processes inherit that. */
final class Ignored {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "USR1", 10, "TERM", 15);

    private Ignored() {}

    static void assumeNot(String signal) {
        assumeThat(is(signal)).as(signal + " is ignored").isFalse();
    }

    /** The mask in {@code SigIgn} has one bit per signal, beginning with signal 1. */
    static boolean is(String signal) {
        try {
            String mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .findFirst()
                    .orElseThrow()
                    .substring("SigIgn:".length())
                    .strip();
            return (Long.parseUnsignedLong(mask, 16) & (1L << (NUMBERS.getOrDefault(signal, 0) - 1))) != 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
