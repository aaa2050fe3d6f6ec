package dev.holdfast.dynamodb;

import dev.holdfast.internal.runtime.CallerRuntime;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.SetupText;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreProvider;
import dev.holdfast.spi.StoreSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** {@code dynamodb://TABLE?region=...&endpoint=...&layout=...}; see {@link DynamoUrl} for all parameters. */
public final class DynamoStoreProvider implements StoreProvider, StoreSetup, SetupText {
    private final Judge usual;

    public DynamoStoreProvider() {
        this(Judge.OBSERVATION);
    }

    private DynamoStoreProvider(Judge usual) {
        this.usual = usual;
    }

    /** For processes that are over before they could watch anybody for a term: judges by stamp, unless told otherwise. */
    public static DynamoStoreProvider forShortLived() {
        return new DynamoStoreProvider(Judge.STAMP);
    }

    /**
     * The time after which silent workers lose their units, if the rows of the table are units that workers of another tool
     * balance by themselves, without a planner; empty for all other tables.
     *
     * @throws IllegalArgumentException if the URL is not understood
     */
    public static Optional<Duration> workersExpireAfter(String url) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        return parsed.layout().workersExpireAfter(parsed.parameters());
    }

    /**
     * Creates a table, which must not be there, and waits until it can be used.
     *
     * @param polling called before each look whether it can
     * @throws StoreException if it is there, or cannot be created
     */
    public static void createTable(String url, Runnable polling) {
        try (TableSetup setup = setup(url)) {
            setup.createNew(polling);
        }
    }

    /**
     * Has the items of a table expire that was just created, and waits until the table can be used.
     *
     * @param polling called before each look whether it can
     */
    public static void expireItems(String url, Runnable polling) {
        try (TableSetup setup = setup(url)) {
            setup.expireNew(polling);
        }
    }

    private static TableSetup setup(String url) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        return new TableSetup(parsed, Transport.client(parsed), new CallerRuntime());
    }

    @Override
    public Set<String> schemes() {
        return Set.of(DynamoUrl.SCHEME);
    }

    @Override
    public LeaseStore open(String url, Runtime runtime) {
        DynamoUrl parsed = DynamoUrl.parse(url).orElse("judge", Parameters.word(usual));
        return parsed.layout().open(Table.open(parsed, runtime), runtime);
    }

    @Override
    public List<Finding> check(String url, Supplier<Instant> clock) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        Runtime runtime = new CallerRuntime();
        try (TableSetup setup = new TableSetup(parsed, Transport.client(parsed), runtime);
                Table table = Table.open(parsed, runtime)) {
            return new TableCheck(parsed, setup, table).run();
        }
    }

    @Override
    public void upgrade(String url, Consumer<String> progress) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        Runtime runtime = new CallerRuntime();
        try (TableSetup setup = new TableSetup(parsed, Transport.client(parsed), runtime);
                Table table = Table.open(parsed, runtime)) {
            setup.upgrade(() -> parsed.layout().limits(table), progress);
        }
    }

    /** Opening never creates a table: one that is missing is found out by the first request. */
    @Override
    public boolean exists(String url) {
        DynamoUrl.parse(url);
        return true;
    }

    @Override
    public void init(String url, Consumer<String> progress) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        try (TableSetup setup = new TableSetup(parsed, Transport.client(parsed), new CallerRuntime())) {
            setup.init(progress);
        }
    }

    /** For CloudFormation and for Terraform. */
    @Override
    public String setupText(String url) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        if (parsed.layout() != Layout.NATIVE) {
            throw Parameters.bad("layout", Parameters.word(parsed.layout()), "native: other tables are their tools'");
        }
        return Snippets.of(parsed);
    }
}
