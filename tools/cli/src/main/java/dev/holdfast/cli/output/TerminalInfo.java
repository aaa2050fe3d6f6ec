package dev.holdfast.cli.output;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.util.Map;

/** Terminal properties: the streams connected to one, and its size. The launcher tests the streams, as Java cannot. */
public final class TerminalInfo {
    private static final int DEFAULT_WIDTH = 80;
    private static final int DEFAULT_HEIGHT = 24;

    private final String streams;

    /** @param streams the numbers (0, 1, 2) of the streams that are connected to a terminal */
    public TerminalInfo(String streams) {
        this.streams = streams;
    }

    static TerminalInfo ofProcess() {
        return new TerminalInfo(System.getProperty("holdfast.terminal", ""));
    }

    public boolean isIn() {
        return streams.contains("0");
    }

    public boolean isOut() {
        return streams.contains("1");
    }

    public boolean isErr() {
        return streams.contains("2");
    }

    int width(Map<String, String> environment) {
        int columns = number(environment.getOrDefault("COLUMNS", ""));
        return columns > 0 ? columns : size()[1];
    }

    int height() {
        return size()[0];
    }

    /** Rows and columns. They are queried each time, because the user may resize the terminal. */
    private int[] size() {
        int[] unknown = {DEFAULT_HEIGHT, DEFAULT_WIDTH};
        if (!isOut() && !isErr()) {
            return unknown;
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), US_ASCII).strip();
            int space = Math.max(0, size.indexOf(' '));
            int rows = number(size.substring(0, space));
            int columns = number(size.substring(space).strip());
            return new int[] {rows > 0 ? rows : DEFAULT_HEIGHT, columns > 0 ? columns : DEFAULT_WIDTH};
        } catch (IOException e) {
            return unknown;
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
