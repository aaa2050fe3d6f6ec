package dev.holdfast.micrometer;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Locale;
import java.util.function.Function;

/**
 * The names and values of the observation of an acquire, {@code holdfast.acquire}.
 *
 * <table>
 *   <caption>Values</caption>
 *   <tr><td>{@code outcome}</td><td>on the span and on the meter: granted, held, done, cancelled or failed</td></tr>
 *   <tr><td>{@code holdfast.key}</td><td>on the span only</td></tr>
 *   <tr><td>{@code holdfast.fence}</td><td>on the span only, if the key was granted</td></tr>
 *   <tr><td>{@code holdfast.held.by}</td><td>on the span only, if another holder has the key: its name</td></tr>
 * </table>
 *
 * <p>Immutable; {@link #keyLabels} returns a changed copy.
 */
public final class AcquireConvention implements ObservationConvention<AcquireContext> {
    private static final AcquireConvention DEFAULTS = new AcquireConvention(key -> KeyValues.empty());

    private final Function<Key, KeyValues> keyLabels;

    private AcquireConvention(Function<Key, KeyValues> keyLabels) {
        this.keyLabels = keyLabels;
    }

    public static AcquireConvention defaults() {
        return DEFAULTS;
    }

    /**
     * With values of the key on the meter too. Every different result is a time series of its own: the namespace is a better
     * label than the name. Always return the same names of labels.
     */
    public AcquireConvention keyLabels(Function<Key, KeyValues> newLabels) {
        return new AcquireConvention(newLabels);
    }

    @Override
    public String getName() {
        return "holdfast.acquire";
    }

    @Override
    public String getContextualName(AcquireContext context) {
        return "holdfast acquire";
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof AcquireContext;
    }

    /** Without an outcome while the acquire is under way. */
    @Override
    public KeyValues getLowCardinalityKeyValues(AcquireContext context) {
        KeyValues labels = keyLabels.apply(context.key());
        return context.outcome()
                .map(outcome -> labels.and("outcome", outcome.name().toLowerCase(Locale.ROOT)))
                .orElse(labels);
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(AcquireContext context) {
        KeyValues values = KeyValues.of("holdfast.key", context.key().toString());
        return context.result().map(result -> values.and(details(result))).orElse(values);
    }

    private static KeyValues details(AcquireResult result) {
        if (result instanceof AcquireResult.HeldByAnother held) {
            return KeyValues.of("holdfast.held.by", held.holder().name());
        }
        // Some layouts of other tools have no fence.
        return result.granted()
                .filter(Lease::hasFence)
                .map(lease -> KeyValues.of(KeyValue.of(
                        "holdfast.fence", String.valueOf(lease.fence().value()))))
                .orElse(KeyValues.empty());
    }
}
