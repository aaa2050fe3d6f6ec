package dev.holdfast.dynamodb.foreign;

import dev.holdfast.dynamodb.Parameters;
import dev.holdfast.dynamodb.Table;
import dev.holdfast.dynamodb.TableShape;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.model.Power;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The other tools whose tables we can share. */
public enum ForeignLayout {
    KCL,
    TABLETHEORY,
    AWSFLOCK,
    LOCKCLIENT;

    /** The names that it understands in a URL. */
    public Set<String> parameters() {
        return switch (this) {
            case KCL -> KclFormat.PARAMETERS;
            case TABLETHEORY -> TableTheoryFormat.PARAMETERS;
            case AWSFLOCK -> AwsFlockFormat.PARAMETERS;
            case LOCKCLIENT -> LockClientFormat.PARAMETERS;
        };
    }

    private Format format(Parameters url) {
        return switch (this) {
            case KCL -> new KclFormat(url);
            case TABLETHEORY -> new TableTheoryFormat(url);
            case AWSFLOCK -> new AwsFlockFormat(url);
            case LOCKCLIENT -> new LockClientFormat(url);
        };
    }

    /**
     * What the table must be like.
     *
     * @throws IllegalArgumentException if a parameter is not understood
     */
    public TableShape shape(Parameters url) {
        Format format = format(url);
        return new TableShape(format.keyNames(), format.timeToLive());
    }

    /**
     * The time after which silent workers lose their units, in a table whose rows are units that workers of another tool
     * balance by themselves; empty for all other layouts.
     */
    public Optional<Duration> workersExpireAfter(Parameters url) {
        return this == KCL ? Optional.of(format(url).dialect().longestTerm()) : Optional.empty();
    }

    /**
     * Opens the store, which closes {@code table} when it is closed.
     *
     * @throws IllegalArgumentException if a parameter is not understood
     */
    public LeaseStore open(Table table, Runtime runtime) {
        return new ForeignStore(table, runtime, format(table.url().parameters()));
    }

    /**
     * Opens the rows of the table for an import, which closes {@code table} when it is closed.
     *
     * @param namespace of keys in a table that has no namespaces
     * @throws IllegalArgumentException if a parameter is not understood, or a namespace is given and the table has its own
     */
    public ImportSource source(Table table, Runtime runtime, String namespace) {
        Format format = format(table.url().parameters());
        if (!namespace.isEmpty() && !format.dialect().lacks(Power.NAMESPACES)) {
            throw Parameters.bad(
                    "namespace",
                    namespace,
                    "none, as keys of layout " + format.dialect().name() + " have their own");
        }
        return new ForeignRows(table, runtime, format, namespace);
    }
}
