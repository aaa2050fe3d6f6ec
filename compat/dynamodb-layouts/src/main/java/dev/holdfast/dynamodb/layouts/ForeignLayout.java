package dev.holdfast.dynamodb.layouts;

import dev.holdfast.dynamodb.TableLayout;
import dev.holdfast.dynamodb.TableShape;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Layouts of other tools that Holdfast can share tables with. */
@SuppressWarnings("exports") // Its callers are in modules that see these types.
public enum ForeignLayout implements TableLayout {
    /** a8m/lease and the Kinesis Client Library. */
    KCL,
    /** TableTheory's lease package. */
    TABLETHEORY,
    /** awsflock, the command. */
    AWSFLOCK,
    /** amazon-dynamodb-lock-client. */
    LOCKCLIENT;

    /** @throws IllegalArgumentException if a parameter is invalid */
    ForeignFormat format(UrlParameters url) {
        return switch (this) {
            case KCL -> new KclFormat(url);
            case TABLETHEORY -> new TableTheoryFormat(url);
            case AWSFLOCK -> new AwsFlockFormat(url);
            case LOCKCLIENT -> new LockClientFormat(url);
        };
    }

    @Override
    public String word() {
        return UrlParameters.word(this);
    }

    @Override
    public Set<String> parameters() {
        return switch (this) {
            case KCL -> KclFormat.PARAMETERS;
            case TABLETHEORY -> TableTheoryFormat.PARAMETERS;
            case AWSFLOCK -> AwsFlockFormat.PARAMETERS;
            case LOCKCLIENT -> LockClientFormat.PARAMETERS;
        };
    }

    @Override
    public TableShape shape(UrlParameters url) {
        FormatTraits traits = format(url).traits();
        return new TableShape(traits.keyNames(), traits.timeToLive());
    }

    @Override
    public LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
        return new ForeignStore(
                dynamoTable, hostEnvironment, format(dynamoTable.url().parameters()));
    }

    @Override
    public boolean isCreatedByUs() {
        return this == AWSFLOCK;
    }

    @Override
    public Optional<Duration> workersExpireAfter(UrlParameters url) {
        return this == KCL ? Optional.of(format(url).traits().dialect().longestTerm()) : Optional.empty();
    }
}
