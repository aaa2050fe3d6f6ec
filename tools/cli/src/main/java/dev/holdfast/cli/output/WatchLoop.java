package dev.holdfast.cli.output;

import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Loop of {@code --watch}: prints lines every second, in place on a terminal, else one below the other. Runs until
 * exit.
 */
public final class WatchLoop {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final String HOME = "\u001b[H";
    private static final String ERASE_LINE = "\u001b[K";
    private static final String ERASE_BELOW = "\u001b[J";

    private final CommandConsole console;
    private final HostEnvironment environment;

    public WatchLoop(CommandConsole console, Leases leases) {
        this.console = console;
        this.environment = LeaseService.of(leases).environment();
    }

    public void run(Supplier<List<String>> lines) throws InterruptedException {
        PrintStream out = console.out();
        boolean inPlace = console.terminal().isOut();
        if (inPlace) {
            out.print(CLEAR);
        }
        // The stream has an error once its reader has closed the pipe.
        while (!out.checkError()) {
            if (inPlace) {
                redraw(out, lines.get());
            } else {
                lines.get().forEach(out::println);
            }
            out.flush();
            pause();
        }
    }

    /** Overwrites the previous lines and then erases their remains, which avoids flicker. */
    private void redraw(PrintStream out, List<String> lines) {
        // The cursor needs a line of its own, otherwise the first line scrolls away.
        int room = Math.max(2, console.height() - 1);
        StringBuilder screen = new StringBuilder(HOME);
        int shown = lines.size() <= room ? lines.size() : room - 1;
        for (String line : lines.subList(0, shown)) {
            screen.append(line).append(ERASE_LINE).append('\n');
        }
        if (shown < lines.size()) {
            screen.append("and ")
                    .append(lines.size() - shown)
                    .append(" more")
                    .append(ERASE_LINE)
                    .append('\n');
        }
        out.print(screen.append(ERASE_BELOW));
    }

    private void pause() throws InterruptedException {
        CompletableFuture<Void> rested = new CompletableFuture<>();
        environment.schedule(PAUSE, () -> rested.complete(null));
        environment.await(rested);
    }
}
