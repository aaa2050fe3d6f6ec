package dev.holdfast.fleet.internal.worker;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The load of a worker, as it is reported. It follows the measured load in steps, because every change of a report is a
 * write: at most one step in each interval, and only if the load has changed by a tenth or more.
 *
 * <p>Confined to the worker's step loop.
 */
final class LoadSampler {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    /** A smaller change than this part of the reported load is not reported. */
    private static final double STEP = 0.1;

    private static final MathContext DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private final @Nullable DoubleSupplier source;
    private final long intervalNanos;
    private OptionalDouble reported = OptionalDouble.empty();
    private long reportedNanos;
    private boolean hasSampled;
    private boolean hasWarned;

    /** @param source measures the load; null if the worker reports none */
    LoadSampler(@Nullable DoubleSupplier source, Duration interval) {
        this.source = source;
        this.intervalNanos = interval.toNanos();
    }

    /** Returns the load to report now. */
    OptionalDouble sample(long nowNanos) {
        if (source == null || (hasSampled && nowNanos - reportedNanos < intervalNanos)) {
            return reported;
        }
        OptionalDouble measured = measure(source);
        if (!hasSampled || isStep(reported, measured)) {
            hasSampled = true;
            reported = measured;
            reportedNanos = nowNanos;
        }
        return reported;
    }

    /** Returns whether a change is large enough to be reported. */
    static boolean isStep(OptionalDouble from, OptionalDouble to) {
        if (from.isEmpty() || to.isEmpty()) {
            return from.isPresent() != to.isPresent();
        }
        double change = Math.abs(to.getAsDouble() - from.getAsDouble());
        return change > 0 && change >= STEP * from.getAsDouble();
    }

    /** A load that cannot be measured must not stop the worker: it is reported as unknown. */
    private OptionalDouble measure(DoubleSupplier from) {
        try {
            double load = from.getAsDouble();
            if (load >= 0 && Double.isFinite(load)) {
                return OptionalDouble.of(new BigDecimal(load).round(DIGITS).doubleValue());
            }
            warn(load + " (expected: a finite number >= 0)", null);
        } catch (RuntimeException e) {
            warn("cannot be measured", e);
        }
        return OptionalDouble.empty();
    }

    private void warn(String problem, @Nullable RuntimeException cause) {
        if (!hasWarned) {
            hasWarned = true;
            log.warn("load of this worker: {}; it is reported as unknown", problem, cause);
        }
    }
}
