package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.output.DurationSpan;
import dev.holdfast.cli.output.LeaseStatusText;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.output.RefusalTexts;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Wait for a lease. On a terminal, a progress line shows the current holder. */
public final class WaitForLease {
    private static final Duration FIRST_POLL = Duration.ofMillis(400);
    private static final Duration BETWEEN_POLLS = Duration.ofSeconds(1);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Leases leases;
    private final Key key;
    private final ProgressLine line;
    private boolean over;

    private WaitForLease(Leases leases, Key key, ProgressLine line) {
        this.leases = leases;
        this.key = key;
        this.line = line;
    }

    /**
     * Acquires the lease and waits up to {@code patience} for it. If a signal ends the process meanwhile, the lease
     * does not stay acquired.
     *
     * @param leases opened with background threads
     */
    public static AcquireResult acquire(
            CommandContext commandContext, Leases leases, Key key, AcquireOptions options, Duration patience)
            throws InterruptedException {
        Thread waiter = Thread.currentThread();
        Thread atExit = new Thread(() -> releaseAtExit(waiter, leases), "holdfast-at-exit");
        java.lang.Runtime.getRuntime().addShutdownHook(atExit);
        WaitForLease waitForLease = new WaitForLease(leases, key, new ProgressLine(commandContext.console()));
        if (waitForLease.line.isShown()) {
            LeaseService.of(leases).environment().schedule(FIRST_POLL, waitForLease::poll);
        }
        try {
            return leases.acquire(key, options, patience);
        } finally {
            waitForLease.end();
            removeHook(atExit);
        }
    }

    /**
     * The interrupted call releases a lease that was granted meanwhile. Closing waits until the store has the release.
     */
    private static void releaseAtExit(Thread waiter, Leases leases) {
        waiter.interrupt();
        leases.close();
    }

    private static void removeHook(Thread atExit) {
        try {
            java.lang.Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook is already running.
        }
    }

    private void poll() {
        HostEnvironment hostEnvironment = LeaseService.of(leases).environment();
        leases.async().get(key).whenComplete((status, error) -> {
            if (error == null) {
                show(status, hostEnvironment.now());
            } else if (error.getCause() instanceof HoldfastException) {
                line.show("waiting for ", RefusalTexts.shown(key), ": ", "the store does not respond", "", "");
            }
            synchronized (this) {
                if (!over) {
                    hostEnvironment.schedule(BETWEEN_POLLS, this::poll);
                }
            }
        });
    }

    private synchronized void show(Optional<LeaseStatus> status, Instant now) {
        Grant grant = status.map(it -> it.entry().grant()).orElse(null);
        if (!over && grant != null && status.get().isHeld()) {
            line.show(
                    "waiting for ",
                    RefusalTexts.shown(key),
                    ": ",
                    "held by " + grant.holder(),
                    ", " + DurationSpan.of(status.get().remaining()) + " left",
                    LeaseStatusText.isUnknown(grant.grantedAt()) ? "" : ", since " + clock(grant.grantedAt(), now));
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
