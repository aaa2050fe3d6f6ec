package dev.holdfast.server.watch;

import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Key;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One look at all keys of a prefix, page by page. Handed on from answer to answer, so it needs no lock. */
final class KeyScan {
    private static final int PAGE = 1_000;
    private static final Logger log = LoggerFactory.getLogger(KeyScan.class);

    private final Leases leases;
    private final String prefix;
    private final int mostKeys;
    private final Consumer<KeyScan> over;
    private final Map<Key, LeaseStatus> found = new HashMap<>();
    private final long begunNanos;
    private boolean whole;

    KeyScan(Leases leases, String prefix, int mostKeys, Consumer<KeyScan> over) {
        this.leases = leases;
        this.prefix = prefix;
        this.mostKeys = mostKeys;
        this.over = over;
        this.begunNanos = leases.runtime().nanos();
    }

    void begin() {
        page(null);
    }

    private void page(@Nullable String cursor) {
        CompletionStage<StatusPage> asked;
        try {
            asked = leases.async().list(LeaseFilter.namespacePrefix(prefix), cursor, PAGE);
        } catch (RuntimeException e) {
            asked = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(asked, (page, error) -> {
            if (page == null) {
                log.debug("a look at what is watched failed; the next will follow", error);
                over.accept(this);
                return;
            }
            page.statuses().forEach(status -> found.put(status.key(), status));
            whole = page.cursor() == null && !isTooLarge();
            if (whole || isTooLarge()) {
                over.accept(this);
            } else {
                page(page.cursor());
            }
        });
    }

    Map<Key, LeaseStatus> found() {
        return found;
    }

    boolean isWhole() {
        return whole;
    }

    boolean isTooLarge() {
        return found.size() > mostKeys;
    }

    /** How long it has taken. */
    Duration length() {
        return Duration.ofNanos(leases.runtime().nanos() - begunNanos);
    }
}
