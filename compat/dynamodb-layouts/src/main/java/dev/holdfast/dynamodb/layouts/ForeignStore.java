package dev.holdfast.dynamodb.layouts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.StoreFeature;
import dev.holdfast.dynamodb.layouts.ForeignEntryReader.SeenItem;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.ItemExpression;
import dev.holdfast.dynamodb.table.VersionCache;
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
import dev.holdfast.support.ScanCursor;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Store of leases in the table of another tool, which keeps using it.
 *
 * <p>A change contains the version that it expects. The request has two conditions: the tool's own, that its attributes
 * are unchanged since that version, and ours, that the imprint is unchanged. So neither side overwrites a recent write
 * of the other. A late write of ours can be barred by another imprint without disturbing the tool. Attributes that are
 * neither the tool's nor changed by us are never touched.
 *
 * <p>Thread-safe.
 */
final class ForeignStore implements LeaseStore {
    private final DynamoTable dynamoTable;
    private final HostEnvironment hostEnvironment;
    private final ForeignFormat foreignFormat;
    private final ForeignEntryReader reader;
    private final VersionCache<SeenItem> versions = new VersionCache<>();
    private final ForeignClockGuard clock;

    ForeignStore(DynamoTable dynamoTable, HostEnvironment hostEnvironment, ForeignFormat foreignFormat) {
        this.dynamoTable = dynamoTable;
        this.hostEnvironment = hostEnvironment;
        this.foreignFormat = foreignFormat;
        this.reader = new ForeignEntryReader(foreignFormat);
        this.clock = new ForeignClockGuard(
                dynamoTable.clock(), foreignFormat.traits().skew());
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(
                dynamoTable.url().lanes(),
                DynamoTable.BATCH_GET_LIMIT,
                foreignFormat.traits().step(),
                foreignFormat.traits().dialect());
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        return dynamoTable.applyAll(changes, this::apply);
    }

    private WriteOutcome apply(Change change) {
        Key key = change.key();
        if (clock.isInDoubt()) {
            dynamoTable.get(keyOf(key));
        }
        clock.requireRight();
        if (change.expected() == null) {
            return insert(change);
        }
        SeenItem seenItem = versions.find(change.expected()).orElse(null);
        if (seenItem == null) {
            ForeignItem current = new ForeignItem(dynamoTable.get(keyOf(key)));
            seenItem = current.isEmpty() ? null : note(key, current);
            if (seenItem == null || !seenItem.entry().version().equals(change.expected())) {
                return conflict(key, current);
            }
        }
        return replace(change, seenItem);
    }

    private WriteOutcome insert(Change change) {
        Entry next = Objects.requireNonNull(change.next());
        ItemExpression update = new ItemExpression();
        update.onlyIf(foreignFormat.traits().keyNames().get(0), null);
        return write(update, next, ForeignItem.NONE, contents(next, null));
    }

    private WriteOutcome replace(Change change, SeenItem seenItem) {
        ItemExpression update = new ItemExpression();
        update.onlyIfPresent(foreignFormat.traits().keyNames().get(0));
        for (String witness : reader.witnesses()) {
            update.onlyIf(witness, seenItem.item().get(witness));
        }
        Entry next = change.next();
        if (next == null) {
            return outcome(change.key(), dynamoTable.delete(request -> update.fill(request.key(keyOf(change.key())))));
        }
        WriteOutcome writeOutcome = write(update, next, seenItem.item(), contents(next, seenItem));
        if (writeOutcome.equals(WriteOutcome.APPLIED)) {
            versions.forget(seenItem.entry().version());
        }
        return writeOutcome;
    }

    /** Returns the attributes to write beside the imprint. */
    private Map<String, Optional<AttributeValue>> contents(Entry next, @Nullable SeenItem seenItem) {
        Map<String, Optional<AttributeValue>> contents = new HashMap<>();
        if (seenItem == null || !seenItem.isSameToTheTool(next)) {
            contents.putAll(foreignFormat.write(next, hostEnvironment.now()));
        }
        if (!foreignFormat.traits().dialect().lacks(StoreFeature.ATTRIBUTES)) {
            contents.putAll(UserAttributes.difference(
                    seenItem == null ? Attributes.NONE : seenItem.entry().attributes(),
                    seenItem == null ? ForeignItem.NONE : seenItem.item(),
                    next.attributes(),
                    reader.notOurs(),
                    foreignFormat.traits().dialect().name()));
        }
        return contents;
    }

    private WriteOutcome write(
            ItemExpression update, Entry next, ForeignItem before, Map<String, Optional<AttributeValue>> contents) {
        ForeignItem after = before.after(contents);
        AttributeValue imprint = AttributeValue.fromS(
                EntryImprint.of(next, foreignFormat.marker(after)).toText());
        contents.put(EntryImprint.NAME, Optional.of(imprint));
        contents.forEach((name, value) -> value.ifPresentOrElse(it -> update.set(name, it), () -> update.remove(name)));
        SeenItem written = new SeenItem(new StoredEntry(next, null), reader.remembered(before.after(contents)));
        WriteOutcome writeOutcome =
                outcome(next.key(), dynamoTable.update(request -> update.fill(request.key(keyOf(next.key())))));
        if (writeOutcome.equals(WriteOutcome.APPLIED)) {
            versions.put(next.version(), written);
        }
        return writeOutcome;
    }

    private WriteOutcome outcome(Key key, WriteResult result) {
        return result instanceof WriteResult.Refused refused
                ? conflict(key, new ForeignItem(refused.current()))
                : WriteOutcome.APPLIED;
    }

    private WriteOutcome conflict(Key key, ForeignItem current) {
        return WriteOutcome.conflict(current.isEmpty() ? null : stored(key, current));
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        List<Map<String, AttributeValue>> items =
                dynamoTable.getAll(keys.stream().map(this::keyOf).toList());
        List<Optional<StoredEntry>> results = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Map<String, AttributeValue> item = items.get(i);
            results.add(item.isEmpty() ? Optional.empty() : Optional.of(stored(keys.get(i), new ForeignItem(item))));
        }
        return results;
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        Map<String, AttributeValue> start = entryScan.cursor() == null ? Map.of() : startKey(entryScan.cursor());
        ScanResponse page = dynamoTable.scan(request -> {
            request.limit(entryScan.limit()).consistentRead(true);
            if (!start.isEmpty()) {
                request.exclusiveStartKey(start);
            }
        });
        List<StoredEntry> entries = new ArrayList<>();
        for (Map<String, AttributeValue> values : page.items()) {
            ForeignItem foreignItem = new ForeignItem(values);
            // Tables may also contain items that are not leases.
            foreignFormat
                    .keyOf(foreignItem)
                    .map(key -> stored(key, foreignItem))
                    .filter(it -> entryScan.matches(it.entry()))
                    .ifPresent(entries::add);
        }
        Map<String, AttributeValue> last = page.lastEvaluatedKey();
        return new ScanPage(entries, last.isEmpty() ? null : cursor(last));
    }

    /** The texts of the key are encoded, because those of other tools may contain the separator of a cursor. */
    private String cursor(Map<String, AttributeValue> last) {
        return ScanCursor.format(foreignFormat.traits().keyNames().stream()
                .map(name ->
                        URLEncoder.encode(Objects.requireNonNull(last.get(name)).s(), UTF_8))
                .toArray(String[]::new));
    }

    private Map<String, AttributeValue> startKey(String text) {
        List<String> names = foreignFormat.traits().keyNames();
        ScanCursor cursor = ScanCursor.parse(text, names.size());
        Map<String, AttributeValue> key = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            key.put(names.get(i), AttributeValue.fromS(URLDecoder.decode(cursor.part(i), UTF_8)));
        }
        return key;
    }

    private StoredEntry stored(Key key, ForeignItem foreignItem) {
        clock.requireRight();
        return note(key, foreignItem).stored();
    }

    private SeenItem note(Key key, ForeignItem foreignItem) {
        if (!foreignFormat.keyOf(foreignItem).equals(Optional.of(key))) {
            throw StoreException.rejected(
                    key + ": the item of this key is no lease of layout "
                            + foreignFormat.traits().dialect().name(),
                    null);
        }
        SeenItem seenItem = reader.read(key, foreignItem, hostEnvironment.now());
        versions.put(seenItem.entry().version(), seenItem);
        return seenItem;
    }

    private Map<String, AttributeValue> keyOf(Key key) {
        try {
            return foreignFormat.keyOf(key);
        } catch (IllegalArgumentException e) {
            throw StoreException.rejected(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        dynamoTable.close();
    }
}
