package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.foreign.ForeignLayout;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How entries lie in a table, by the word that a URL has for it. */
public enum Layout {
    /** Our own. */
    NATIVE {
        @Override
        Set<String> parameters() {
            return Set.of("judge", "skew", "billing", "read", "write");
        }

        @Override
        LeaseStore open(Table table, Runtime runtime) {
            return new NativeStore(table, runtime);
        }

        @Override
        TableShape shape(Parameters url) {
            return new TableShape(List.of(Attribute.KEY.text()), Optional.of(Attribute.TTL.text()));
        }

        @Override
        FormatLimits limits(Table table) {
            return TableFormat.of(table);
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

    /** Opens the store, which closes {@code table} when it is closed. */
    LeaseStore open(Table table, Runtime runtime) {
        return foreign().open(table, runtime);
    }

    /** What the table must be like. */
    TableShape shape(Parameters url) {
        return foreign().shape(url);
    }

    /** See {@link ForeignLayout#workersExpireAfter}. */
    Optional<Duration> workersExpireAfter(Parameters url) {
        return this == NATIVE ? Optional.empty() : foreign().workersExpireAfter(url);
    }

    /** Which code may use the table. Only our own layout has formats; this reads an item in any case. */
    FormatLimits limits(Table table) {
        return FormatLimits.of(table.get(table.url().shape().strangeKey()));
    }

    /** Whether we create such tables; those of other tools are created by these, unless they leave it to a command. */
    boolean isCreatedByUs() {
        return this == NATIVE || this == AWSFLOCK;
    }

    private ForeignLayout foreign() {
        return ForeignLayout.valueOf(name());
    }
}
