package dev.holdfast.micrometer;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observation of one acquire, from its call to its answer.
 *
 * <p>A handler that throws at the end must not cost the caller a lease that was granted, so its exception is logged only.
 */
final class AcquireObservation {
    private static final Logger log = LoggerFactory.getLogger(ObservedLeases.class);

    private final AcquireContext context;
    private final Observation observation;

    private AcquireObservation(AcquireContext context, Observation observation) {
        this.context = context;
        this.observation = observation;
    }

    static AcquireObservation start(Key key, ObservationRegistry registry, AcquireConvention convention) {
        AcquireContext context = new AcquireContext(key);
        // A convention of the application, set in the registry, replaces this one.
        Observation observation = Observation.start(null, convention, () -> context, registry);
        return new AcquireObservation(context, observation);
    }

    /** A call that makes the request, and perhaps waits for its answer. */
    @FunctionalInterface
    interface AcquireCall<T, E extends Exception> {
        T run() throws E;
    }

    /** Runs the call while this is the current observation of the thread, so that requests to the store are shown below it. */
    <T, E extends Exception> T inScope(AcquireCall<T, E> call) throws E {
        Observation.Scope scope = observation.openScope();
        try {
            return call.run();
        } finally {
            quietly(scope::close);
        }
    }

    void answered(AcquireResult result) {
        context.answered(result);
        stop();
    }

    void failed(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        context.failed(cause);
        quietly(() -> observation.error(cause));
        stop();
    }

    private void stop() {
        quietly(observation::stop);
    }

    @SuppressWarnings("IllegalCatch") // Handlers are code of the application and its libraries: see above.
    private void quietly(Runnable handlers) {
        try {
            handlers.run();
        } catch (Throwable e) {
            log.warn("{}: an observation handler failed", context.key(), e);
        }
    }
}
