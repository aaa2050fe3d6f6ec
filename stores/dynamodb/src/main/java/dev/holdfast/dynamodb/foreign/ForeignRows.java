package dev.holdfast.dynamodb.foreign;

import dev.holdfast.dynamodb.Table;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.importing.SourceRow;
import dev.holdfast.spi.Runtime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** The leases in the table of another tool, for an import. Items that are no leases at all are left out. */
final class ForeignRows implements ImportSource {
    private static final int PAGE = 1_000;

    private final Table table;
    private final Runtime runtime;
    private final ForeignRowReader reader;
    private final ClockGuard clock;
    private Map<String, AttributeValue> last = Map.of();
    private boolean atEnd;

    /** @param namespace of keys that have none */
    ForeignRows(Table table, Runtime runtime, Format format, String namespace) {
        this.table = table;
        this.runtime = runtime;
        this.reader = new ForeignRowReader(format, namespace);
        this.clock = new ClockGuard(table.clock(), format.skew());
    }

    /** DynamoDB counts by reading. */
    @Override
    public OptionalLong count() {
        return OptionalLong.empty();
    }

    @Override
    public Optional<List<SourceRow>> next() {
        if (atEnd) {
            return Optional.empty();
        }
        ScanResponse page = table.scan(request -> {
            request.limit(PAGE).consistentRead(true);
            if (!last.isEmpty()) {
                request.exclusiveStartKey(last);
            }
        });
        clock.requireRight();
        last = page.lastEvaluatedKey();
        atEnd = last.isEmpty();
        List<SourceRow> rows = new ArrayList<>();
        page.items().forEach(item -> reader.read(new Item(item), runtime.now()).ifPresent(rows::add));
        return Optional.of(rows);
    }

    @Override
    public void close() {
        table.close();
    }
}
