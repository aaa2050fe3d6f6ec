package dev.holdfast.dynamodb.layouts;

import dev.holdfast.StoreFeature;
import dev.holdfast.dynamodb.DynamoUrl;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.importing.SourceRow;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Import source for the leases in the table of another tool. It skips items that are not leases. */
public final class ForeignRows implements ImportSource {
    private static final int PAGE = 1_000;

    private final DynamoTable dynamoTable;
    private final HostEnvironment hostEnvironment;
    private final ForeignRowReader reader;
    private final ForeignClockGuard clock;
    private Map<String, AttributeValue> last = Map.of();
    private boolean atEnd;

    private ForeignRows(
            DynamoTable dynamoTable, HostEnvironment hostEnvironment, ForeignFormat foreignFormat, String namespace) {
        this.dynamoTable = dynamoTable;
        this.hostEnvironment = hostEnvironment;
        this.reader = new ForeignRowReader(foreignFormat, namespace);
        this.clock = new ForeignClockGuard(
                dynamoTable.clock(), foreignFormat.traits().skew());
    }

    /**
     * Opens the table that {@code url} names, for reading only.
     *
     * @param url the parameter {@code layout} may be omitted
     * @param namespace the namespace of keys in a table that has no namespaces
     * @throws IllegalArgumentException if the URL is invalid, names another layout, or a namespace is given and the
     * table has its own
     */
    public static ImportSource open(
            ForeignLayout layout, String url, HostEnvironment hostEnvironment, String namespace) {
        DynamoUrl parsed = DynamoUrl.parse(url, "layout", layout.word());
        if (parsed.layout() != layout) {
            throw ArgumentCheck.bad("layout", parsed.layout().word(), layout.word() + ", the layout to import");
        }
        ForeignFormat format = layout.format(parsed.parameters());
        if (!namespace.isEmpty() && !format.traits().dialect().lacks(StoreFeature.NAMESPACES)) {
            throw ArgumentCheck.bad(
                    "namespace", namespace, "none, as keys of layout " + layout.word() + " have their own");
        }
        return new ForeignRows(DynamoTable.open(parsed, hostEnvironment), hostEnvironment, format, namespace);
    }

    /** DynamoDB can count only by reading everything. */
    @Override
    public OptionalLong count() {
        return OptionalLong.empty();
    }

    @Override
    public Optional<List<SourceRow>> next() {
        if (atEnd) {
            return Optional.empty();
        }
        ScanResponse page = dynamoTable.scan(request -> {
            request.limit(PAGE).consistentRead(true);
            if (!last.isEmpty()) {
                request.exclusiveStartKey(last);
            }
        });
        clock.requireRight();
        last = page.lastEvaluatedKey();
        atEnd = last.isEmpty();
        List<SourceRow> rows = new ArrayList<>();
        page.items()
                .forEach(item -> reader.read(new ForeignItem(item), hostEnvironment.now())
                        .ifPresent(rows::add));
        return Optional.of(rows);
    }

    @Override
    public void close() {
        dynamoTable.close();
    }
}
