package dev.holdfast.cli.output;

/** Progress line on stderr that is overwritten in place and erased at the end. Shown only if stderr is a terminal. */
public final class ProgressLine implements AutoCloseable {
    private static final int READABLE = 16;
    private static final String ERASE = "\r\u001b[K";

    private final CommandConsole console;
    private final boolean shown;
    private boolean dirty;

    public ProgressLine(CommandConsole console) {
        this.console = console;
        this.shown = console.terminal().isErr() && !console.isQuiet();
    }

    public boolean isShown() {
        return shown;
    }

    public synchronized void show(String text) {
        if (shown) {
            // One column less: some terminals wrap as soon as the last column is written.
            console.err().print(ERASE + ColumnWidth.fit(VisibleText.line(text), console.width() - 1));
            console.err().flush();
            dirty = true;
        }
    }

    /**
     * Shows {@code lead key then holder rest more}. If that is too long for the terminal, {@code lead} is left out,
     * {@code more} is left out if necessary, and {@code key} and {@code holder} are cut. {@code rest} is never cut: it
     * contains the remaining time, which changes.
     */
    public void show(String lead, String key, String then, String holder, String rest, String more) {
        int width = console.width() - 1;
        String whole = lead + key + then + holder + rest + more;
        if (!shown || ColumnWidth.of(VisibleText.line(whole)) <= width) {
            show(whole);
            return;
        }
        String end = width - ColumnWidth.of(then + rest + more) >= 2 * READABLE ? rest + more : rest;
        int room = Math.max(READABLE / 2, (width - ColumnWidth.of(then + end)) / 2);
        show(ColumnWidth.fit(VisibleText.line(key), room)
                + then
                + ColumnWidth.fit(VisibleText.line(holder), room)
                + end);
    }

    @Override
    public synchronized void close() {
        if (dirty) {
            console.err().print(ERASE);
            console.err().flush();
            dirty = false;
        }
    }
}
