package dev.holdfast.dynamodb.foreign;

import dev.holdfast.dynamodb.Attempt;
import dev.holdfast.dynamodb.Table;
import dev.holdfast.dynamodb.Written;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Leases in the table of another tool, which goes on using it.
 *
 * <p>A change names the version that it expects. What is sent is the tool's own condition, that its attributes are as
 * they were at that version, and ours, that the imprint is: so neither overwrites what the other has just written, and a
 * late write of ours can be barred by another imprint without disturbing the tool. Attributes that are neither the
 * tool's nor changed by us are never touched.
 *
 * <p>Thread-safe.
 */
public final class ForeignStore implements LeaseStore {
    private final Table table;
    private final Runtime runtime;
    private final Format format;
    private final EntryReader reader;
    private final SeenVersions versions = new SeenVersions();
    private final Cursors cursors;
    private final ClockGuard clock;

    ForeignStore(Table table, Runtime runtime, Format format) {
        this.table = table;
        this.runtime = runtime;
        this.format = format;
        this.reader = new EntryReader(format);
        this.cursors = new Cursors(format.keyNames());
        this.clock = new ClockGuard(table.clock(), format.skew());
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(table.url().lanes(), Table.BATCH_GET_LIMIT, format.step(), format.dialect());
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        List<Supplier<Outcome>> calls = new ArrayList<>();
        changes.forEach(change -> calls.add(() -> apply(change)));
        return table.together(calls).stream().map(ForeignStore::outcome).toList();
    }

    private static Outcome outcome(Attempt<Outcome> attempt) {
        return attempt instanceof Attempt.Failed<Outcome> failed
                ? new Outcome.Failed(failed.failure())
                : attempt.orThrow();
    }

    private Outcome apply(Change change) {
        Key key = change.key();
        if (clock.isInDoubt()) {
            table.get(keyOf(key));
        }
        clock.requireRight();
        if (change.expected() == null) {
            return insert(change);
        }
        Seen seen = versions.get(change.expected());
        if (seen == null) {
            Item current = new Item(table.get(keyOf(key)));
            seen = current.isEmpty() ? null : note(key, current);
            if (seen == null || !seen.entry().version().equals(change.expected())) {
                return conflict(key, current);
            }
        }
        return replace(change, seen);
    }

    private Outcome insert(Change change) {
        Entry next = Objects.requireNonNull(change.next());
        ItemUpdate update = new ItemUpdate(keyOf(change.key()));
        update.onlyIf(format.keyNames().get(0), null);
        return write(update, next, Item.NONE, contents(next, null));
    }

    private Outcome replace(Change change, Seen seen) {
        ItemUpdate update = new ItemUpdate(keyOf(change.key()));
        update.onlyIfThere(format.keyNames().get(0));
        for (String witness : reader.witnesses()) {
            update.onlyIf(witness, seen.witnesses().get(witness));
        }
        Entry next = change.next();
        if (next == null) {
            return outcome(change.key(), table.delete(update::fill));
        }
        Outcome outcome = write(update, next, seen.witnesses(), contents(next, seen));
        if (outcome.equals(Outcome.APPLIED)) {
            versions.forget(seen.entry().version());
        }
        return outcome;
    }

    /** What is to be written beside the imprint. */
    private Map<String, Optional<AttributeValue>> contents(Entry next, @Nullable Seen seen) {
        Map<String, Optional<AttributeValue>> contents = new HashMap<>();
        if (seen == null || !seen.isSameToTheTool(next)) {
            contents.putAll(format.write(next, runtime.now()));
        }
        if (!format.dialect().lacks(Power.ATTRIBUTES)) {
            Attributes before = seen == null ? Attributes.NONE : seen.attributes();
            contents.putAll(UserAttributes.difference(
                    before,
                    next.attributes(),
                    reader.notOurs(),
                    format.dialect().name()));
        }
        return contents;
    }

    private Outcome write(
            ItemUpdate update, Entry next, Item witnesses, Map<String, Optional<AttributeValue>> contents) {
        Item after = ItemUpdate.after(witnesses, contents);
        AttributeValue imprint =
                AttributeValue.fromS(Imprint.of(next, format.marker(after)).toText());
        contents.put(Imprint.NAME, Optional.of(imprint));
        contents.forEach((name, value) -> value.ifPresentOrElse(it -> update.set(name, it), () -> update.remove(name)));
        Seen written = new Seen(next, ItemUpdate.after(witnesses, contents).only(reader.witnesses()));
        Outcome outcome = outcome(next.key(), table.update(update::fill));
        if (outcome.equals(Outcome.APPLIED)) {
            versions.put(written);
        }
        return outcome;
    }

    private Outcome outcome(Key key, Written answer) {
        return answer instanceof Written.Refused refused ? conflict(key, new Item(refused.current())) : Outcome.APPLIED;
    }

    private Outcome conflict(Key key, Item current) {
        return Outcome.conflict(current.isEmpty() ? null : stored(key, current));
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        if (keys.size() == 1) {
            return List.of(stored(keys.get(0), table.get(keyOf(keys.get(0)))));
        }
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> found = new HashMap<>();
        List<Map<String, AttributeValue>> wanted =
                keys.stream().map(this::keyOf).toList();
        for (Map<String, AttributeValue> item : table.batchGet(wanted)) {
            found.put(new Item(item).only(format.keyNames()).values(), item);
        }
        List<Optional<Stored>> answers = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            answers.add(stored(keys.get(i), found.getOrDefault(wanted.get(i), Map.of())));
        }
        return answers;
    }

    @Override
    public Page scan(Scan scan) {
        Map<String, AttributeValue> start = scan.cursor() == null ? Map.of() : cursors.parse(scan.cursor());
        ScanResponse page = table.scan(request -> {
            request.limit(scan.limit()).consistentRead(true);
            if (!start.isEmpty()) {
                request.exclusiveStartKey(start);
            }
        });
        List<Stored> entries = new ArrayList<>();
        for (Map<String, AttributeValue> values : page.items()) {
            Item item = new Item(values);
            // Tables are shared with things that are no leases at all.
            format.keyOf(item)
                    .map(key -> stored(key, item))
                    .filter(it -> scan.matches(it.entry()))
                    .ifPresent(entries::add);
        }
        Map<String, AttributeValue> last = page.lastEvaluatedKey();
        return new Page(entries, last.isEmpty() ? null : cursors.format(last));
    }

    private Optional<Stored> stored(Key key, Map<String, AttributeValue> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(stored(key, new Item(values)));
    }

    private Stored stored(Key key, Item item) {
        clock.requireRight();
        return reader.stored(note(key, item), item, runtime.now());
    }

    private Seen note(Key key, Item item) {
        if (!format.keyOf(item).equals(Optional.of(key))) {
            throw StoreException.rejected(
                    key + ": what the table has under this key is no lease of layout "
                            + format.dialect().name(),
                    null);
        }
        Seen seen = reader.seen(key, item, runtime.now());
        versions.put(seen);
        return seen;
    }

    private Map<String, AttributeValue> keyOf(Key key) {
        try {
            return format.keyOf(key);
        } catch (IllegalArgumentException e) {
            throw StoreException.rejected(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        table.close();
    }
}
