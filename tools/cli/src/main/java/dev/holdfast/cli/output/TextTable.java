package dev.holdfast.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Table that fits a given width. If space is short, text columns are cut first, the widest one first, while enough of
 * the text remains recognizable. Then whole columns are dropped, the least important one first. Numbers are never cut,
 * because a cut number is meaningless.
 */
public final class TextTable {
    private static final int GAP = 2;

    /** Minimum width of a cut text before a column is dropped instead: smaller if that column is important. */
    private static final int COMFORTABLE = 16;

    private static final int BEARABLE = 8;
    private static final int LEAST = 4;

    /** Columns of this rank or higher are important. */
    public static final int MATTERS = 3;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(Column... columns) {
        this.columns = List.of(columns);
        rows.add(this.columns.stream().map(Column::heading).toList());
    }

    /**
     * A column.
     *
     * @param rank columns with a lower rank are dropped first; columns of the highest rank are never dropped
     */
    public record Column(String heading, boolean isText, int rank) {
        public static Column text(String heading, int rank) {
            return new Column(heading, true, rank);
        }

        public static Column whole(String heading, int rank) {
            return new Column(heading, false, rank);
        }
    }

    /** Adds a row. Invisible characters are escaped. */
    public void row(String... cells) {
        List<String> row = new ArrayList<>(cells.length);
        for (String cell : cells) {
            row.add(VisibleText.line(cell));
        }
        rows.add(row);
    }

    /** The lines, each at most {@code width} columns wide. The first line has the headings. */
    public List<String> lines(int width) {
        int[] widths = widths();
        int least = least(widths);
        while (!cut(widths, width, columns.get(least).rank() < MATTERS ? COMFORTABLE : BEARABLE)
                && isDroppable(least)) {
            widths[least] = 0;
            least = least(widths);
        }
        cut(widths, width, LEAST);
        List<String> lines = new ArrayList<>(rows.size());
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                if (widths[i] > 0) {
                    line.append(ColumnWidth.padded(ColumnWidth.fit(row.get(i), widths[i]), widths[i] + GAP));
                }
            }
            lines.add(ColumnWidth.fit(line.toString().stripTrailing(), Math.max(1, width)));
        }
        return lines;
    }

    private int[] widths() {
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], ColumnWidth.of(row.get(i)));
            }
        }
        return widths;
    }

    /**
     * Cuts texts down to {@code least} columns to fit the width. Returns false and changes nothing if that is not
     * enough.
     */
    private boolean cut(int[] widths, int width, int least) {
        int[] cut = widths.clone();
        int over = total(cut) - width;
        while (over > 0) {
            int widest = widestText(cut);
            if (widest < 0 || cut[widest] <= least) {
                return false;
            }
            cut[widest]--;
            over--;
        }
        System.arraycopy(cut, 0, widths, 0, cut.length);
        return true;
    }

    /** The index of the remaining column with the lowest rank. */
    private int least(int[] widths) {
        int least = -1;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0
                    && (least < 0 || columns.get(i).rank() < columns.get(least).rank())) {
                least = i;
            }
        }
        return least;
    }

    private boolean isDroppable(int column) {
        return columns.stream()
                .anyMatch(other -> other.rank() > columns.get(column).rank());
    }

    private static int total(int[] widths) {
        int total = -GAP;
        for (int width : widths) {
            total += width > 0 ? width + GAP : 0;
        }
        return total;
    }

    private int widestText(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            if (columns.get(i).isText() && widths[i] > 0 && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }
}
