package dev.holdfast.dynamodb;

import dev.holdfast.Key;
import dev.holdfast.dynamodb.BeatStamps.ExpiryJudge;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.RequestCounter;
import dev.holdfast.dynamodb.table.WriteResult;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Store of entries in Holdfast's own table layout, one item each.
 *
 * <p>Every change is one request, conditional on the version. If the condition fails, the response contains the current
 * item. A batch is sent as parallel requests, and each has its own outcome. Reads are strongly consistent. DynamoDB's
 * TTL removes entries that have been free for long.
 *
 * <p>The service does not return the age of an item, so expiry is judged by observation, unless the URL contains {@code
 * judge=stamp}: see {@link BeatStamps}.
 */
@SuppressWarnings("exports") // The module of the layouts sees these types.
public final class NativeTableStore implements LeaseStore {
    /** Below this, the whole seconds of the service's clock are too coarse to compare. */
    private static final Duration LEAST_SKEW = Duration.ofSeconds(3);

    /** A slow response narrows the difference of the clocks only a little; one of a few is fast. */
    private static final int CLOCK_READS = 3;

    private final DynamoTable dynamoTable;
    private final BeatStamps beatStamps;
    private final ConditionalWrites conditionalWrites;
    private final TableScans tableScans;
    private final StoreTraits traits;
    private volatile @Nullable FormatLimits limits;

    NativeTableStore(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
        DynamoUrl url = dynamoTable.url();
        ExpiryJudge expiryJudge = url.parameters().word("judge", ExpiryJudge.class, ExpiryJudge.OBSERVATION);
        this.dynamoTable = dynamoTable;
        this.beatStamps = new BeatStamps(hostEnvironment, dynamoTable.clock(), expiryJudge, skew(url));
        this.conditionalWrites = new ConditionalWrites(
                dynamoTable,
                beatStamps,
                new HistoryRoom(url.parameters().text(UrlParameters.HISTORY).isEmpty()));
        this.tableScans = new TableScans(dynamoTable);
        // Three timeouts: to get a connection, to connect, and for the response.
        this.traits = new StoreTraits(url.lanes(), DynamoTable.BATCH_GET_LIMIT, beatStamps.step())
                .withLongestCall(url.timeout().multipliedBy(3))
                .withHistory(url.parameters().history());
    }

    /** Returns how far the clocks may differ. */
    public static Duration skew(DynamoUrl url) {
        return url.parameters().duration("skew", Duration.ofSeconds(5), LEAST_SKEW);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public boolean cleansItself() {
        return true;
    }

    /** Returns the number of requests sent so far by kind, which is the cost of this store. */
    public RequestCounter requests() {
        return dynamoTable.requests();
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        limits().requireWritable(name());
        for (int i = 0; i < CLOCK_READS && needsClock(changes); i++) {
            dynamoTable.get(EntryItems.key(changes.get(0).key())); // Any response contains the service's time.
        }
        return dynamoTable.applyAll(changes, this::outcome);
    }

    private String name() {
        return "the table " + dynamoTable.url().table();
    }

    /**
     * Returns the limits of the table, read once before the first read or write. Opening the table therefore sends
     * nothing. The response also contains the service's time, which one-shot commands need anyway. After a failed read,
     * the next caller tries again.
     */
    private FormatLimits limits() {
        FormatLimits known = limits;
        return known == null ? readLimits() : known;
    }

    /** All lanes start at once, but only one of them reads. */
    private synchronized FormatLimits readLimits() {
        FormatLimits known = limits == null ? FormatLimits.of(dynamoTable) : limits;
        limits = known;
        return known;
    }

    private boolean needsClock(List<Change> changes) {
        return changes.stream().anyMatch(change -> beatStamps.needsClock(change.next()));
    }

    private WriteOutcome outcome(Change change) {
        // A request for an unseen key first assumes that the key is new. If this process cannot judge the entry that it
        // would find instead, the request is rejected immediately. Renewals continue, without a stamp.
        if (change.expected() == null && beatStamps.isWanted(change.next())) {
            beatStamps.requireRight();
        }
        if (!(conditionalWrites.send(change) instanceof WriteResult.Refused refused)) {
            return WriteOutcome.APPLIED;
        }
        StoredEntry current = stored(refused.current());
        if (current != null && current.entry().version().equals(change.expected())) {
            // The version matches, so only the format was wrong.
            FormatLimits.of(refused.current()).requireWritable(EntryItems.name(refused.current()));
        }
        return WriteOutcome.conflict(current);
    }

    private @Nullable StoredEntry stored(Map<String, AttributeValue> item) {
        if (item.isEmpty()) {
            return null;
        }
        Entry entry = EntryItems.entry(item);
        conditionalWrites.note(entry.version(), item);
        return new StoredEntry(entry, beatStamps.age(entry, item));
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        limits().requireReadable(name());
        return dynamoTable.getAll(keys.stream().map(EntryItems::key).toList()).stream()
                .map(item -> Optional.ofNullable(stored(item)))
                .toList();
    }

    /** Does not read the format of the table, because each item shows whether it can be read. */
    @Override
    public ScanPage scan(EntryScan entryScan) {
        TableScans.Found page = tableScans.run(entryScan);
        List<StoredEntry> entries = page.items().stream()
                .filter(item -> !FormatLimits.isTableKey(item))
                .map(this::stored)
                .flatMap(storedEntry -> Optional.ofNullable(storedEntry).stream())
                .toList();
        return new ScanPage(entries, page.cursor());
    }

    @Override
    public void close() {
        dynamoTable.close();
    }
}
