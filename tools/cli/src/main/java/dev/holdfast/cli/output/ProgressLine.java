package dev.holdfast.cli.output;

/** One line on stderr that is written over again and again, and gone at the end. Nothing where stderr is no terminal. */
public final class ProgressLine implements AutoCloseable {
    private static final int READABLE = 16;
    private static final String ERASE = "\r\u001b[K";

    private final CliConsole cliConsole;
    private final boolean shown;
    private boolean dirty;

    public ProgressLine(CliConsole cliConsole) {
        this.cliConsole = cliConsole;
        this.shown = cliConsole.terminal().isErr() && !cliConsole.isQuiet();
    }

    public boolean isShown() {
        return shown;
    }

    public synchronized void show(String text) {
        if (shown) {
            // One column less: some terminals wrap as soon as the last one is written.
            cliConsole.err().print(ERASE + ColumnWidth.fit(VisibleText.line(text), cliConsole.width() - 1));
            cliConsole.err().flush();
            dirty = true;
        }
    }

    /**
     * Shows {@code lead what then who rest more}. Where that is too long the lead goes, then the rest of the words, and
     * what and who are cut: how long is what changes, and is never cut.
     */
    public void show(String lead, String what, String then, String who, String rest, String more) {
        int width = cliConsole.width() - 1;
        String whole = lead + what + then + who + rest + more;
        if (!shown || ColumnWidth.of(VisibleText.line(whole)) <= width) {
            show(whole);
            return;
        }
        String end = width - ColumnWidth.of(then + rest + more) >= 2 * READABLE ? rest + more : rest;
        int room = Math.max(READABLE / 2, (width - ColumnWidth.of(then + end)) / 2);
        show(ColumnWidth.fit(VisibleText.line(what), room) + then + ColumnWidth.fit(VisibleText.line(who), room) + end);
    }

    @Override
    public synchronized void close() {
        if (dirty) {
            cliConsole.err().print(ERASE);
            cliConsole.err().flush();
            dirty = false;
        }
    }
}
