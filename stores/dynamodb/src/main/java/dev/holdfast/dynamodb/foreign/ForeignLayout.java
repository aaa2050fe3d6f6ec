package dev.holdfast.dynamodb.foreign;

import dev.holdfast.StoreFeature;
import dev.holdfast.dynamodb.importing.ForeignRows;
import dev.holdfast.dynamodb.setup.TableShape;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Layouts of other tools that Holdfast can share tables with. */
public enum ForeignLayout {
    KCL,
    TABLETHEORY,
    AWSFLOCK,
    LOCKCLIENT;

    /** Returns the URL parameters of the layout. */
    public Set<String> parameters() {
        return switch (this) {
            case KCL -> KclFormat.PARAMETERS;
            case TABLETHEORY -> TableTheoryFormat.PARAMETERS;
            case AWSFLOCK -> AwsFlockFormat.PARAMETERS;
            case LOCKCLIENT -> LockClientFormat.PARAMETERS;
        };
    }

    private ForeignFormat format(UrlParameters url) {
        return switch (this) {
            case KCL -> new KclFormat(url);
            case TABLETHEORY -> new TableTheoryFormat(url);
            case AWSFLOCK -> new AwsFlockFormat(url);
            case LOCKCLIENT -> new LockClientFormat(url);
        };
    }

    /**
     * Returns the required shape of the table.
     *
     * @throws IllegalArgumentException if a parameter is invalid
     */
    public TableShape shape(UrlParameters url) {
        ForeignFormat foreignFormat = format(url);
        return new TableShape(foreignFormat.keyNames(), foreignFormat.timeToLive());
    }

    /**
     * Returns the time after which workers that stopped renewing lose their units. Applies if the rows of the table are
     * units that workers of another tool balance by themselves; empty for all other layouts.
     */
    public Optional<Duration> workersExpireAfter(UrlParameters url) {
        return this == KCL ? Optional.of(format(url).dialect().longestTerm()) : Optional.empty();
    }

    /**
     * Opens the store, which closes {@code dynamoTable} when it is closed.
     *
     * @throws IllegalArgumentException if a parameter is invalid
     */
    public LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
        return new ForeignStore(
                dynamoTable, hostEnvironment, format(dynamoTable.url().parameters()));
    }

    /**
     * Opens the rows of the table for an import. Closing it closes {@code dynamoTable}.
     *
     * @param namespace the namespace of keys in a table that has no namespaces
     * @throws IllegalArgumentException if a parameter is invalid, or a namespace is given and the table has its own
     */
    public ImportSource source(DynamoTable dynamoTable, HostEnvironment hostEnvironment, String namespace) {
        ForeignFormat foreignFormat = format(dynamoTable.url().parameters());
        if (!namespace.isEmpty() && !foreignFormat.dialect().lacks(StoreFeature.NAMESPACES)) {
            throw ArgumentCheck.bad(
                    "namespace",
                    namespace,
                    "none, as keys of layout " + foreignFormat.dialect().name() + " have their own");
        }
        return new ForeignRows(dynamoTable, hostEnvironment, foreignFormat, namespace);
    }
}
