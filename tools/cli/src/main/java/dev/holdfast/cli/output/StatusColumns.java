package dev.holdfast.cli.output;

import dev.holdfast.LeaseStatus;
import dev.holdfast.cli.output.TextTable.Column;
import java.time.Instant;
import java.util.List;

/** Table of keys, a line each. */
public final class StatusColumns {
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    private final List<LeaseStatus> statuses;
    private final LeaseStatusText text;

    public StatusColumns(List<LeaseStatus> statuses, Instant now) {
        this.statuses = statuses;
        this.text = new LeaseStatusText(now);
    }

    /** Headings, then the keys. In colour, keys that are not held are dimmed. */
    public List<String> lines(int width, boolean colourful) {
        TextTable textTable = new TextTable(
                Column.text("NAME", 5),
                Column.whole("STATUS", 5),
                Column.text("HOLDER", 4),
                Column.whole("SINCE", 2),
                Column.whole("LEFT", 3),
                Column.whole("FENCE", 0),
                Column.text("ATTRIBUTES", 1));
        statuses.forEach(status -> textTable.row(text.cells(status)));
        List<String> lines = textTable.lines(width);
        if (colourful) {
            for (int i = 0; i < lines.size(); i++) {
                boolean held = i > 0 && statuses.get(i - 1).isHeld();
                String style = i == 0 ? BOLD : DIM;
                lines.set(i, held ? lines.get(i) : style + lines.get(i) + PLAIN);
            }
        }
        return lines;
    }
}
