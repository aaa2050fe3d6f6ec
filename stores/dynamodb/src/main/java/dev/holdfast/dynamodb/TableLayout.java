package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.foreign.ForeignLayout;
import dev.holdfast.dynamodb.setup.TableShape;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How entries lie in a table, by the word that a URL has for it. */
public enum TableLayout {
    /** Our own. */
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

    /** The names that this layout understands in a URL, beside those that all understand. */
    Set<String> parameters() {
        return foreign().parameters();
    }

    /** Opens the store, which closes {@code dynamoTable} when it is closed. */
    LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
        return foreign().open(dynamoTable, hostEnvironment);
    }

    /** What the table must be like. */
    TableShape shape(UrlParameters url) {
        return foreign().shape(url);
    }

    /** See {@link ForeignLayout#workersExpireAfter}. */
    Optional<Duration> workersExpireAfter(UrlParameters url) {
        return this == NATIVE ? Optional.empty() : foreign().workersExpireAfter(url);
    }

    /** Which code may use the table. Only our own layout has formats; this reads an item in any case. */
    public FormatLimits limits(DynamoTable dynamoTable) {
        return FormatLimits.of(dynamoTable.get(dynamoTable.url().shape().strangeKey()));
    }

    /** Whether we create such tables; those of other tools are created by these, unless they leave it to a command. */
    public boolean isCreatedByUs() {
        return this == NATIVE || this == AWSFLOCK;
    }

    private ForeignLayout foreign() {
        return ForeignLayout.valueOf(name());
    }
}
