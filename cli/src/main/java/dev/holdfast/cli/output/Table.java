package dev.holdfast.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in columns that fit a width. Where there is too little of it the widest columns are cut, down to a least width;
 * then whole columns go, from the right.
 */
public final class Table {
    private static final int GAP = 2;
    private static final int LEAST = 8;

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        row(headings);
    }

    /** What is invisible in a cell is escaped. */
    public void row(String... cells) {
        List<String> row = new ArrayList<>(cells.length);
        for (String cell : cells) {
            row.add(Visible.line(cell));
        }
        rows.add(row);
    }

    /** The lines, each at most {@code width} columns wide; the first is the headings. */
    public List<String> lines(int width) {
        int[] widths = widths();
        int columns = shrink(widths, width);
        List<String> lines = new ArrayList<>(rows.size());
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(Columns.padded(Columns.fit(row.get(i), widths[i]), widths[i] + GAP));
            }
            lines.add(Columns.fit(line.toString().stripTrailing(), Math.max(1, width)));
        }
        return lines;
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Columns.of(row.get(i)));
            }
        }
        // An empty column is only a heading.
        return widths;
    }

    /** Returns how many columns are left. */
    private static int shrink(int[] widths, int width) {
        int columns = widths.length;
        while (columns > 1) {
            int over = total(widths, columns) - width;
            while (over > 0) {
                int widest = widest(widths, columns);
                if (widths[widest] <= LEAST) {
                    break;
                }
                widths[widest]--;
                over--;
            }
            if (over <= 0) {
                break;
            }
            columns--;
        }
        return columns;
    }

    private static int total(int[] widths, int columns) {
        int total = -GAP;
        for (int i = 0; i < columns; i++) {
            total += widths[i] + GAP;
        }
        return total;
    }

    private static int widest(int[] widths, int columns) {
        int widest = 0;
        for (int i = 1; i < columns; i++) {
            if (widths[i] > widths[widest]) {
                widest = i;
            }
        }
        return widest;
    }
}
