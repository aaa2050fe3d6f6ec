package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.output.Spans;
import dev.holdfast.cli.output.StatusText;
import dev.holdfast.model.Grant;
import dev.holdfast.model.HoldfastException;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Waits for a lease; on a terminal, tells for whom. */
public final class Waiting {
    private static final Duration FIRST_LOOK = Duration.ofMillis(400);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Leases leases;
    private final Key key;
    private final ProgressLine line;
    private boolean over;

    private Waiting(Leases leases, Key key, ProgressLine line) {
        this.leases = leases;
        this.key = key;
        this.line = line;
    }

    /**
     * Acquires, waiting up to {@code patience}. If the process is told to end meanwhile, nothing stays acquired.
     *
     * @param leases with threads of its own
     */
    public static AcquireResult acquire(
            Context context, Leases leases, Key key, AcquireOptions options, Duration patience)
            throws InterruptedException {
        Thread waiter = Thread.currentThread();
        Thread atExit = new Thread(() -> giveBack(waiter, leases), "holdfast-at-exit");
        java.lang.Runtime.getRuntime().addShutdownHook(atExit);
        Waiting waiting = new Waiting(leases, key, new ProgressLine(context.console()));
        if (waiting.line.isShown()) {
            leases.runtime().schedule(FIRST_LOOK, waiting::look);
        }
        try {
            return leases.acquire(key, options, patience);
        } finally {
            waiting.end();
            forget(atExit);
        }
    }

    /** Interrupted, the call gives back what it was granted all the same; closing waits until the store knows. */
    private static void giveBack(Thread waiter, Leases leases) {
        waiter.interrupt();
        leases.close();
    }

    private static void forget(Thread atExit) {
        try {
            java.lang.Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending: it runs already.
        }
    }

    private void look() {
        Runtime runtime = leases.runtime();
        leases.async().get(key).whenComplete((status, error) -> {
            if (error == null) {
                show(status, runtime.now());
            } else if (error.getCause() instanceof HoldfastException) {
                line.show("waiting for ", Answers.shown(key), ": ", "the store does not answer", "", "");
            }
            synchronized (this) {
                if (!over) {
                    runtime.schedule(BETWEEN_LOOKS, this::look);
                }
            }
        });
    }

    private synchronized void show(Optional<LeaseStatus> status, Instant now) {
        Grant grant = status.map(it -> it.entry().grant()).orElse(null);
        if (!over && grant != null && status.get().isHeld()) {
            line.show(
                    "waiting for ",
                    Answers.shown(key),
                    ": ",
                    "held by " + grant.holder(),
                    ", " + Spans.of(status.get().remaining()) + " left",
                    StatusText.isUnknown(grant.grantedAt()) ? "" : ", since " + clock(grant.grantedAt(), now));
        }
    }

    private static String clock(Instant then, Instant now) {
        boolean today = Duration.between(then, now).abs().compareTo(Duration.of(20, ChronoUnit.HOURS)) < 0;
        return (today ? TIME : DAY).format(then.atZone(ZoneId.systemDefault()));
    }

    private synchronized void end() {
        over = true;
        line.close();
    }
}
