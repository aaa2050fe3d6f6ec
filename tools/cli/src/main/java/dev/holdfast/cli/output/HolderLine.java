package dev.holdfast.cli.output;

import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Grant;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Progress line of a wait for a lease: the current holder, and how long it may keep the lease. */
public final class HolderLine implements AutoCloseable {
    private static final Duration FIRST_POLL = Duration.ofMillis(400);
    private static final Duration BETWEEN_POLLS = Duration.ofSeconds(1);
    private static final Duration RECENT = Duration.ofHours(20);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Leases leases;
    private final LeaseService service;
    private final Key key;
    private final ProgressLine line;
    private boolean over;

    public HolderLine(Leases leases, Key key, CommandConsole console) {
        this.leases = leases;
        this.service = LeaseService.of(leases);
        this.key = key;
        this.line = new ProgressLine(console);
    }

    public void begin() {
        if (line.isShown()) {
            service.environment().schedule(FIRST_POLL, this::poll);
        }
    }

    private void poll() {
        leases.async().get(key).whenComplete((status, error) -> {
            if (error == null) {
                show(status, service.environment().now());
            } else if (error.getCause() instanceof HoldfastException) {
                line.show("waiting for ", RefusalTexts.shown(key), ": ", "the store does not respond", "", "");
            }
            synchronized (this) {
                if (!over) {
                    service.environment().schedule(BETWEEN_POLLS, this::poll);
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
                    ", " + DurationText.rounded(status.get().remaining()) + " left",
                    LeaseStatusText.isUnknown(grant.grantedAt()) ? "" : ", since " + clock(grant.grantedAt(), now));
        }
    }

    private static String clock(Instant then, Instant now) {
        boolean recent = Duration.between(then, now).abs().compareTo(RECENT) < 0;
        return (recent ? TIME : DAY).format(then.atZone(ZoneId.systemDefault()));
    }

    @Override
    public synchronized void close() {
        over = true;
        line.close();
    }
}
