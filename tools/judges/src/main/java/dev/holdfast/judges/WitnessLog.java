package dev.holdfast.judges;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The changes of the protected resource, in the order of their commits. */
public final class WitnessLog {
    private final List<WitnessLine> lines;

    private WitnessLog(List<WitnessLine> lines) {
        this.lines = List.copyOf(lines);
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).sequence() <= lines.get(i - 1).sequence()) {
                String problem = "sequence: " + lines.get(i).sequence() + " (expected: > "
                        + lines.get(i - 1).sequence() + ")";
                throw new HistoryFormatException(i + 1, problem, null);
            }
        }
    }

    /**
     * Reads a witness.
     *
     * @throws HistoryFormatException with the number of the first line that is not in the format
     */
    public static WitnessLog read(Path file) throws IOException {
        List<WitnessLine> lines = new ArrayList<>();
        for (String text : Files.readAllLines(file)) {
            try {
                lines.add(WitnessLine.parse(text));
            } catch (IllegalArgumentException e) {
                throw new HistoryFormatException(lines.size() + 1, String.valueOf(e.getMessage()), e);
            }
        }
        return new WitnessLog(lines);
    }

    /** A witness of these lines, in the order of commits. */
    public static WitnessLog of(List<WitnessLine> lines) {
        return new WitnessLog(lines);
    }

    public void write(Path file) throws IOException {
        Files.write(file, lines.stream().map(WitnessLine::text).toList());
    }

    public List<WitnessLine> lines() {
        return lines;
    }
}
