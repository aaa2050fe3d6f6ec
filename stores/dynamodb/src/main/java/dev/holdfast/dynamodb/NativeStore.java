package dev.holdfast.dynamodb;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.SelfCleaning;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Entries in a table of our own, one item each.
 *
 * <p>Every change is one request, conditional on the version; if it is refused, the answer brings the item as it is. A
 * batch is so many requests at once, and each has its own outcome. Reads are strongly consistent. DynamoDB's TTL removes
 * what has been free for long.
 *
 * <p>The service tells nobody's age, so silence is judged by observation, unless the URL says {@code judge=stamp}: see
 * {@link Stamps}.
 */
public final class NativeStore implements LeaseStore, SelfCleaning {
    /** Below this, the whole seconds of the service's clock leave nothing to compare with. */
    private static final Duration LEAST_SKEW = Duration.ofSeconds(3);

    /** An answer that took long says little; one of a few comes fast. */
    private static final int CLOCK_QUESTIONS = 3;

    private final Table table;
    private final TableFormat format;
    private final Stamps stamps;
    private final StampMemory memory = new StampMemory();
    private final Writes writes;
    private final Scans scans;
    private final StoreTraits traits;

    NativeStore(Table table, Runtime runtime) {
        DynamoUrl url = table.url();
        Judge judge = url.parameters().word("judge", Judge.class, Judge.OBSERVATION);
        this.table = table;
        this.format = new TableFormat(table);
        this.stamps = new Stamps(runtime, table.clock(), judge, skew(url));
        this.writes = new Writes(table, runtime, stamps, memory);
        this.scans = new Scans(table);
        this.traits = new StoreTraits(url.lanes(), Table.BATCH_GET_LIMIT, stamps.step())
                .withLongestCall(url.timeout().multipliedBy(3)); // To get a connection, to connect, and to be answered.
    }

    /** How far clocks that are used may be apart. */
    static Duration skew(DynamoUrl url) {
        return url.parameters().duration("skew", Duration.ofSeconds(5), LEAST_SKEW);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    /** How many requests were sent so far, by their kind: what this store costs. */
    public RequestCounter requests() {
        return table.requests();
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        format.requireWritable();
        for (int i = 0; i < CLOCK_QUESTIONS && wantsClock(changes); i++) {
            table.get(Items.key(changes.get(0).key())); // Any answer brings the service's time.
        }
        List<Supplier<Outcome>> calls = changes.stream()
                .<Supplier<Outcome>>map(change -> () -> outcome(change))
                .toList();
        return table.together(calls).stream().map(NativeStore::outcome).toList();
    }

    private boolean wantsClock(List<Change> changes) {
        return changes.stream().anyMatch(change -> stamps.wantsClock(change.next()));
    }

    private Outcome outcome(Change change) {
        // A request for what nobody has seen begins with a guess that it is new. Whoever may not judge what it would
        // find
        // instead is told so at once; renewals go on, without a stamp.
        if (change.expected() == null && stamps.isWanted(change.next())) {
            stamps.requireRight();
        }
        if (!(writes.send(change) instanceof Written.Refused refused)) {
            return Outcome.APPLIED;
        }
        Stored current = stored(refused.current());
        if (current != null && current.entry().version().equals(change.expected())) {
            // All that was wrong with it was its format.
            FormatLimits.of(refused.current()).requireWritable(Items.name(refused.current()));
        }
        return Outcome.conflict(current);
    }

    private static Outcome outcome(Attempt<Outcome> attempt) {
        return attempt instanceof Attempt.Failed<Outcome> failed
                ? new Outcome.Failed(failed.failure())
                : attempt.orThrow();
    }

    private @Nullable Stored stored(Map<String, AttributeValue> item) {
        if (item.isEmpty()) {
            return null;
        }
        Entry entry = Items.entry(item);
        memory.note(entry.version(), item);
        return new Stored(entry, stamps.age(entry, item));
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        format.requireReadable();
        if (keys.size() == 1) {
            return List.of(Optional.ofNullable(stored(table.get(Items.key(keys.get(0))))));
        }
        Map<Key, Stored> found = new HashMap<>();
        for (Map<String, AttributeValue> item :
                table.batchGet(keys.stream().map(Items::key).toList())) {
            Stored stored = stored(item);
            if (stored != null) {
                found.put(stored.entry().key(), stored);
            }
        }
        return keys.stream().map(key -> Optional.ofNullable(found.get(key))).toList();
    }

    /** Does not ask for the format of the table: each item says whether it can be read. */
    @Override
    public Page scan(Scan scan) {
        Scans.Found page = scans.run(scan);
        List<Stored> entries = page.items().stream()
                .filter(item -> !FormatLimits.isTableKey(item))
                .map(this::stored)
                .flatMap(stored -> Optional.ofNullable(stored).stream())
                .toList();
        return new Page(entries, page.cursor());
    }

    @Override
    public void close() {
        table.close();
    }
}
