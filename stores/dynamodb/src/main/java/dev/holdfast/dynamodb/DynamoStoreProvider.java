package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.store.StoreSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Provider for {@code dynamodb://TABLE?region=...&endpoint=...&layout=...}; see {@link DynamoUrl} for all parameters.
 */
public final class DynamoStoreProvider implements StoreProvider, StoreSetup {
    private final String defaultJudge;

    public DynamoStoreProvider() {
        this("observation");
    }

    private DynamoStoreProvider(String defaultJudge) {
        this.defaultJudge = defaultJudge;
    }

    /**
     * For processes too short-lived to watch a holder for a term: judges by stamp, unless the URL contains {@code
     * judge}.
     */
    public static DynamoStoreProvider forShortLived() {
        return new DynamoStoreProvider("stamp");
    }

    /**
     * See {@link TableLayout#workersExpireAfter}.
     *
     * @throws IllegalArgumentException if the URL is invalid
     */
    public static Optional<Duration> workersExpireAfter(String url) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        return parsed.layout().workersExpireAfter(parsed.parameters());
    }

    /**
     * Creates a table that must not exist yet, and waits until it can be used.
     *
     * @param polling called before each check whether it can be used
     * @throws dev.holdfast.StoreException if it exists, or cannot be created
     */
    public static void createTable(String url, Runnable polling) {
        try (TableSetup setup = TableSetup.open(DynamoUrl.parse(url))) {
            setup.createNew(polling);
        }
    }

    /**
     * Enables expiry for the items of a new table, and waits until the table can be used.
     *
     * @param polling called before each check whether it can be used
     */
    public static void expireItems(String url, Runnable polling) {
        try (TableSetup setup = TableSetup.open(DynamoUrl.parse(url))) {
            setup.expireNew(polling);
        }
    }

    @Override
    public Set<String> schemes() {
        return Set.of(DynamoUrl.SCHEME);
    }

    @Override
    public LeaseStore open(String url, HostEnvironment hostEnvironment) {
        DynamoUrl given = DynamoUrl.parse(url);
        DynamoUrl parsed =
                given.layout().parameters().contains("judge") ? DynamoUrl.parse(url, "judge", defaultJudge) : given;
        return parsed.layout().open(DynamoTable.open(parsed, hostEnvironment), hostEnvironment);
    }

    @Override
    public List<Finding> check(String url, Supplier<Instant> clock) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        try (TableSetup setup = TableSetup.open(parsed);
                DynamoTable dynamoTable = DynamoTable.open(parsed, new CallerThreadEnvironment())) {
            return new TableCheck(parsed, setup, dynamoTable).run();
        }
    }

    @Override
    public void upgrade(String url, Consumer<String> progress) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        try (TableSetup setup = TableSetup.open(parsed);
                DynamoTable dynamoTable = DynamoTable.open(parsed, new CallerThreadEnvironment())) {
            setup.upgrade(() -> FormatLimits.of(dynamoTable), progress);
        }
    }

    /** Opening never creates a table, and the first request detects a missing one. */
    @Override
    public boolean exists(String url) {
        DynamoUrl.parse(url);
        return true;
    }

    @Override
    public void init(String url, Consumer<String> progress) {
        try (TableSetup setup = TableSetup.open(DynamoUrl.parse(url))) {
            setup.init(progress);
        }
    }

    /** Returns the setup for CloudFormation and for Terraform. */
    @Override
    public Optional<String> setupText(String url) {
        return Optional.of(TableSnippets.of(DynamoUrl.parse(url)));
    }
}
