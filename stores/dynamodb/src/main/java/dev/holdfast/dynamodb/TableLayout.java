package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.foreign.ForeignLayout;
import dev.holdfast.dynamodb.setup.TableShape;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Layout of entries in a table, named as in a URL. */
public enum TableLayout {
    /** Holdfast's own. */
    NATIVE {
        @Override
        Set<String> parameters() {
            return Set.of("judge", "skew", "billing", "read", "write");
        }

        @Override
        LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
            return new NativeTableStore(dynamoTable, hostEnvironment);
        }

        @Override
        TableShape shape(UrlParameters url) {
            return new TableShape(List.of(ItemAttribute.KEY.text()), Optional.of(ItemAttribute.TTL.text()));
        }

        @Override
        public FormatLimits limits(DynamoTable dynamoTable) {
            return TableFormatVersion.of(dynamoTable);
        }
    },
    /** a8m/lease and the Kinesis Client Library. */
    KCL,
    /** TableTheory's lease package. */
    TABLETHEORY,
    /** awsflock, the command. */
    AWSFLOCK,
    /** amazon-dynamodb-lock-client. */
    LOCKCLIENT;

    /** Returns the URL parameters of this layout, in addition to the common ones. */
    Set<String> parameters() {
        return foreign().parameters();
    }

    /** Opens the store, which closes {@code dynamoTable} when it is closed. */
    LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
        return foreign().open(dynamoTable, hostEnvironment);
    }

    /** Returns the required shape of the table. */
    TableShape shape(UrlParameters url) {
        return foreign().shape(url);
    }

    /** See {@link ForeignLayout#workersExpireAfter}. */
    Optional<Duration> workersExpireAfter(UrlParameters url) {
        return this == NATIVE ? Optional.empty() : foreign().workersExpireAfter(url);
    }

    /** Returns which code may use the table. Only our own layout has formats, but this reads an item in any case. */
    public FormatLimits limits(DynamoTable dynamoTable) {
        return FormatLimits.of(dynamoTable.get(dynamoTable.url().shape().strangeKey()));
    }

    /** Whether Holdfast creates such tables. Other tools create their own tables, unless they leave it to a command. */
    public boolean isCreatedByUs() {
        return this == NATIVE || this == AWSFLOCK;
    }

    private ForeignLayout foreign() {
        return ForeignLayout.valueOf(name());
    }
}
