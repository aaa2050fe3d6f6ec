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
import java.util.function.Function;

/** Layouts of other tools that Holdfast can share tables with. */
public enum ForeignLayout implements TableLayout {
    /** a8m/lease and the Kinesis Client Library. */
    KCL(KclFormat.PARAMETERS, KclFormat::new),
    /** TableTheory's lease package. */
    TABLETHEORY(TableTheoryFormat.PARAMETERS, TableTheoryFormat::new),
    /** awsflock, the command. */
    AWSFLOCK(AwsFlockFormat.PARAMETERS, AwsFlockFormat::new),
    /** amazon-dynamodb-lock-client. */
    LOCKCLIENT(LockClientFormat.PARAMETERS, LockClientFormat::new);

    private final Set<String> parameters;
    private final Function<UrlParameters, ForeignFormat> format;

    ForeignLayout(Set<String> parameters, Function<UrlParameters, ForeignFormat> format) {
        this.parameters = parameters;
        this.format = format;
    }

    /** @throws IllegalArgumentException if a parameter is invalid */
    ForeignFormat format(UrlParameters url) {
        return format.apply(url);
    }

    @Override
    public String word() {
        return UrlParameters.word(this);
    }

    @Override
    public Set<String> parameters() {
        return parameters;
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
