package dev.holdfast.chaos.client;

import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Token;
import dev.holdfast.chaos.resource.ResourceOutcome;
import dev.holdfast.chaos.resource.ResourceSession;
import java.util.function.BooleanSupplier;

/** A lease whose calls are recorded in the history. In the history its token is the name of the call that acquired it. */
final class RecordedLease {
    private final RecordedCalls calls;
    private final Lease lease;
    private final String token;

    RecordedLease(RecordedCalls calls, Lease lease, String token) {
        this.calls = calls;
        this.lease = lease;
        this.token = token;
    }

    Key key() {
        return lease.key();
    }

    private String keyAndToken() {
        return " key=" + lease.key() + " token=" + token;
    }

    private String keyAndFence() {
        return RecordedCalls.keyAndFence(lease.key(), lease.fence());
    }

    boolean believes() throws InterruptedException {
        return calls.record("believe", keyAndFence(), () -> lease.isHeld() ? "true" : "false")
                .equals("true");
    }

    String renew() throws InterruptedException {
        return calls.record("renew", keyAndToken() + " term=" + lease.term().toNanos(), () -> {
            lease.renew();
            return "ok";
        });
    }

    String release() throws InterruptedException {
        return calls.record("release", keyAndToken(), () -> lease.release() ? "ok" : "lost");
    }

    String done() throws InterruptedException {
        return calls.record("done", keyAndToken(), () -> {
            lease.done();
            return "ok";
        });
    }

    String update() throws InterruptedException {
        String value = calls.freshValue();
        return calls.record("update", keyAndToken() + " value=" + value, () -> {
            lease.update(RecordedCalls.valuePatch(value));
            return "ok";
        });
    }

    /** Adds one to the counter of the key, in two steps. */
    String write(ResourceSession resource, Runnable pause) throws InterruptedException {
        BooleanSupplier between = () -> {
            boolean held = lease.isHeld();
            // The place where a paused process does harm: after its last check, before its write.
            pause.run();
            return held;
        };
        return calls.record("write", keyAndFence(), () -> {
            ResourceOutcome outcome = resource.increment(lease.key(), lease.fence(), between);
            return text(outcome);
        });
    }

    /** The work of a process-once key. */
    String work(ResourceSession resource) throws InterruptedException {
        return calls.record("work", keyAndFence(), () -> text(resource.work(lease.key(), lease.fence())));
    }

    private static String text(ResourceOutcome outcome) {
        if (outcome instanceof ResourceOutcome.Written written) {
            return "ok before=" + written.before() + " after=" + written.after();
        } else if (outcome instanceof ResourceOutcome.Rejected) {
            return "rejected";
        } else if (outcome instanceof ResourceOutcome.NotWritten failure) {
            return "failed error=" + RecordedCalls.encoded(failure.reason());
        }
        return "unknown";
    }

    boolean isHeld() {
        return lease.isHeld();
    }

    /** Gives the lease object up; the calls by token follow. */
    Token detach() {
        return lease.detach();
    }

    String renewBy(Token secret) throws InterruptedException {
        return calls.record("renew", keyAndToken() + " term=" + lease.term().toNanos(), () -> {
            calls.leases().renew(lease.key(), secret);
            return "ok";
        });
    }

    String updateBy(Token secret) throws InterruptedException {
        String value = calls.freshValue();
        return calls.record("update", keyAndToken() + " value=" + value, () -> {
            calls.leases().update(lease.key(), secret, RecordedCalls.valuePatch(value));
            return "ok";
        });
    }

    String releaseBy(Token secret) throws InterruptedException {
        return calls.record(
                "release", keyAndToken(), () -> calls.leases().release(lease.key(), secret) ? "ok" : "lost");
    }
}
