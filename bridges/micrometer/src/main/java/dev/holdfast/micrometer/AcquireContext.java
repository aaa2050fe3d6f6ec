package dev.holdfast.micrometer;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.NotGrantedException;
import io.micrometer.observation.Observation;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The context of the observation of an acquire: its key, and its result once there is one. */
public final class AcquireContext extends Observation.Context {
    private final Key key;
    private volatile @Nullable AcquireResult result;

    AcquireContext(Key key) {
        this.key = key;
    }

    /** The end of an acquire. */
    public enum AcquireOutcome {
        GRANTED,
        /** Another holder has the key. */
        HELD,
        /** The key is done. */
        DONE,
        /** The caller was interrupted, or cancelled the call. */
        CANCELLED,
        /** The call failed: see the error of the observation. */
        FAILED
    }

    public Key key() {
        return key;
    }

    /** The answer; empty until there is one, and if the acquire failed. */
    public Optional<AcquireResult> result() {
        return Optional.ofNullable(result);
    }

    /** The end of the acquire; empty while it is under way. */
    public Optional<AcquireOutcome> outcome() {
        AcquireResult known = result;
        if (known != null) {
            return Optional.of(outcome(known));
        }
        Throwable error = getError();
        if (error == null) {
            return Optional.empty();
        }
        boolean isCancelled = error instanceof InterruptedException || error instanceof CancellationException;
        return Optional.of(isCancelled ? AcquireOutcome.CANCELLED : AcquireOutcome.FAILED);
    }

    private static AcquireOutcome outcome(AcquireResult known) {
        if (known instanceof AcquireResult.Granted) {
            return AcquireOutcome.GRANTED;
        }
        return known instanceof AcquireResult.Done ? AcquireOutcome.DONE : AcquireOutcome.HELD;
    }

    void answered(AcquireResult newResult) {
        result = newResult;
    }

    void failed(Throwable error) {
        if (error instanceof NotGrantedException refused) {
            result = refused.result();
        }
    }
}
