package dev.holdfast.chaos.client;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.EditResult;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The calls of a client, each recorded in the history. */
final class RecordedCalls {
    /** The attribute that updates write. */
    private static final String ATTRIBUTE = "v";

    private static final int LISTED_MAX = 100;

    private final Leases leases;
    private final HarnessLink link;
    private final String client;

    RecordedCalls(Leases leases, HarnessLink link, String client) {
        this.leases = leases;
        this.link = link;
        this.client = client;
    }

    Leases leases() {
        return leases;
    }

    /** A call whose result is the rest of the answer line. */
    interface RecordedAction {
        String run() throws InterruptedException;
    }

    /**
     * Records a call and its answer.
     *
     * @return the answer's first word, such as {@code ok}
     */
    String record(String op, String fields, RecordedAction action) throws InterruptedException {
        return record(link.nextCall(), op, fields, action);
    }

    private String record(long call, String op, String fields, RecordedAction action) throws InterruptedException {
        link.call(call, "op=" + op + fields);
        String answer = outcome(action);
        link.answer(call, "out=" + answer);
        int end = answer.indexOf(' ');
        return end < 0 ? answer : answer.substring(0, end);
    }

    private static String outcome(RecordedAction action) throws InterruptedException {
        try {
            return action.run();
        } catch (LeaseLostException e) {
            return "lost reason=" + e.reason();
        } catch (StoreException e) {
            return (e.effect() == StoreException.Effect.NOT_APPLIED ? "failed" : "unknown") + " error=" + text(e);
        } catch (RuntimeException e) {
            e.printStackTrace();
            return "unknown error=" + text(e);
        }
    }

    private static String text(Throwable e) {
        return encoded(String.valueOf(e.getMessage()));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Acquires a key.
     *
     * @param wait zero: without waiting
     * @return null if it was not granted
     */
    @Nullable
    RecordedLease acquire(Key key, AcquireOptions options, Duration wait) throws InterruptedException {
        long call = link.nextCall();
        String token = client + "-" + call;
        boolean anchored = options.anchor().isPresent();
        String fields = " key=" + key + " token=" + token + " term="
                + options.term().toNanos() + " auto=" + (options.isAutoRenew() || anchored)
                + (anchored ? " anchor=" + client : "") + " wait=" + wait.toNanos();
        RecordedLease[] granted = new RecordedLease[1];
        record(call, "acquire", fields, () -> {
            AcquireResult result;
            try {
                result = wait.isZero() ? leases.tryAcquire(key, options) : leases.acquire(key, options, wait);
            } catch (LeaseLostException e) {
                // The anchor is lost. Whether the key was granted under it before is not known.
                return "unknown error=anchor-lost";
            }
            if (result instanceof AcquireResult.Granted grant) {
                granted[0] = new RecordedLease(this, grant.lease(), token);
                return "granted fence=" + grant.lease().fence();
            }
            return result instanceof AcquireResult.HeldByAnother held ? "held fence=" + held.fence() : "done";
        });
        return granted[0];
    }

    void get(Key key) throws InterruptedException {
        record("get", " key=" + key, () -> {
            Optional<LeaseStatus> status = leases.get(key);
            return status.map(found ->
                            "state state=" + found.state() + " fence=" + found.fence() + " value=" + value(found))
                    .orElse("absent");
        });
    }

    void list(String namePrefix) throws InterruptedException {
        record("list", " keys=" + namePrefix, () -> {
            try (Stream<LeaseStatus> statuses = leases.list(LeaseFilter.names("", namePrefix))) {
                List<LeaseStatus> found = statuses.limit(LISTED_MAX).toList();
                return "listed items="
                        + found.stream()
                                .map(status -> status.key() + ":" + status.state() + ":" + status.fence() + ":"
                                        + value(status))
                                .collect(Collectors.joining(","));
            }
        });
    }

    void reopen(Key key) throws InterruptedException {
        record("reopen", " key=" + key, () -> edited(leases.reopen(key)));
    }

    void evict(Key key) throws InterruptedException {
        record("evict", " key=" + key, () -> edited(leases.evict(key, "evicted by chaos")));
    }

    private static String edited(EditResult result) {
        return result instanceof EditResult.Changed ? "ok" : "refused";
    }

    private static String value(LeaseStatus status) {
        return status.attributes().text(ATTRIBUTE).map(RecordedCalls::encoded).orElse("");
    }

    /** A value that no other update writes. */
    String freshValue() {
        return client + "-" + link.nextCall();
    }

    static AttributePatch valuePatch(String value) {
        return AttributePatch.putting(ATTRIBUTE, value);
    }

    static String keyAndFence(Key key, Fence fence) {
        return " key=" + key + " fence=" + fence;
    }
}
