package dev.holdfast.cli.output;

/** One line on stderr that is written over again and again, and gone at the end. Nothing where stderr is no terminal. */
public final class ProgressLine implements AutoCloseable {
    private static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final boolean shown;
    private boolean dirty;

    public ProgressLine(Console console) {
        this.console = console;
        this.shown = console.terminal().isErr() && !console.isQuiet();
    }

    public boolean isShown() {
        return shown;
    }

    public synchronized void show(String text) {
        if (shown) {
            // One column less: some terminals wrap as soon as the last one is written.
            console.err().print(ERASE + Columns.fit(Visible.line(text), console.width() - 1));
            console.err().flush();
            dirty = true;
        }
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
