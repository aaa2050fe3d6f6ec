package dev.holdfast.dynamodb.table;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.DynamoUrl;
import dev.holdfast.store.Change;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.WriteOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Table that all requests go through while leases are used. Every request is sent once. The caller decides whether to
 * retry, because only the caller knows the effect of a second write.
 *
 * <p>It counts requests, bounds the number in flight, reports errors as {@link StoreException}, and reads the service's
 * time from its responses.
 *
 * <p>Thread-safe; calls block.
 */
public final class DynamoTable implements AutoCloseable {
    /** The most keys that the service accepts in one request. */
    public static final int BATCH_GET_LIMIT = 100;

    /** The most rounds of one read of many keys; each returns some of them. After that, the caller backs off. */
    private static final int BATCH_GET_ROUNDS = 8;

    private final DynamoDbClient client;
    private final DynamoUrl url;
    private final RequestCounter requests = new RequestCounter();
    private final Semaphore inFlight;
    private final CallThreads callThreads;
    private final ServiceClock clock;
    /** Capacity to request in each response; null for none, because it costs the service some work. */
    private final @Nullable ReturnConsumedCapacity capacity;

    /** Opens the table that {@code url} names, without sending anything. */
    public static DynamoTable open(DynamoUrl url, HostEnvironment hostEnvironment) {
        ServiceClock clock = new ServiceClock(hostEnvironment);
        return new DynamoTable(DynamoTransport.client(url, clock), url, clock);
    }

    /** @param client closed with the table */
    public DynamoTable(DynamoDbClient client, DynamoUrl url, ServiceClock clock) {
        this.client = client;
        this.url = url;
        this.inFlight = new Semaphore(url.inFlight(), true);
        this.callThreads = new CallThreads(url.inFlight());
        this.clock = clock;
        this.capacity = url.countsUnits() ? ReturnConsumedCapacity.TOTAL : null;
    }

    public DynamoUrl url() {
        return url;
    }

    /** Returns the requests sent so far. */
    public RequestCounter requests() {
        return requests;
    }

    /** Returns the comparison of this machine's clock with the service's. */
    public ServiceClock clock() {
        return clock;
    }

    /** Returns the current item; empty if there is none. */
    public Map<String, AttributeValue> get(Map<String, AttributeValue> key) {
        GetItemResponse response = send(
                RequestKind.GET,
                "GetItem",
                () -> client.getItem(request -> request.tableName(url.table())
                        .key(key)
                        .consistentRead(true)
                        .returnConsumedCapacity(capacity)));
        requests.consumed(RequestKind.GET, response.consumedCapacity());
        return response.item();
    }

    /**
     * Returns the current items of {@code keys}, in their order; empty ones for those that do not exist.
     *
     * @param keys at most {@link #BATCH_GET_LIMIT}
     */
    public List<Map<String, AttributeValue>> getAll(List<Map<String, AttributeValue>> keys) {
        if (keys.size() == 1) {
            return List.of(get(keys.get(0)));
        }
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> found = new HashMap<>();
        for (Map<String, AttributeValue> item : batchGet(keys)) {
            Map<String, AttributeValue> key = new HashMap<>(item);
            key.keySet().retainAll(keys.get(0).keySet());
            found.put(key, item);
        }
        return keys.stream().map(key -> found.getOrDefault(key, Map.of())).toList();
    }

    private List<Map<String, AttributeValue>> batchGet(List<Map<String, AttributeValue>> keys) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        List<Map<String, AttributeValue>> left = keys;
        for (int round = 0; !left.isEmpty(); round++) {
            if (round == BATCH_GET_ROUNDS) {
                throw StoreException.notApplied(
                        "DynamoDB: throttled; " + left.size() + " of " + keys.size() + " keys were not read", null);
            }
            left = batchGet(left, items);
        }
        return items;
    }

    /** Returns the keys that the service left for later. */
    private List<Map<String, AttributeValue>> batchGet(
            List<Map<String, AttributeValue>> keys, List<Map<String, AttributeValue>> items) {
        KeysAndAttributes wanted =
                KeysAndAttributes.builder().keys(keys).consistentRead(true).build();
        BatchGetItemRequest request = BatchGetItemRequest.builder()
                .requestItems(Map.of(url.table(), wanted))
                .returnConsumedCapacity(capacity)
                .build();
        BatchGetItemResponse response = send(RequestKind.BATCH_GET, "BatchGetItem", () -> client.batchGetItem(request));
        response.consumedCapacity().forEach(used -> requests.consumed(RequestKind.BATCH_GET, used));
        response.responses().values().forEach(items::addAll);
        KeysAndAttributes left = response.unprocessedKeys().get(url.table());
        return left == null ? List.of() : left.keys();
    }

    /** @param request all fields except the table */
    public WriteResult put(Consumer<PutItemRequest.Builder> request) {
        return write(RequestKind.PUT, "PutItem", () -> {
            PutItemResponse response = client.putItem(it -> it.applyMutation(request)
                    .tableName(url.table())
                    .returnConsumedCapacity(capacity)
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            requests.consumed(RequestKind.PUT, response.consumedCapacity());
            return response.attributes();
        });
    }

    /** @param request all fields except the table */
    public WriteResult update(Consumer<UpdateItemRequest.Builder> request) {
        return write(RequestKind.UPDATE, "UpdateItem", () -> {
            UpdateItemResponse response = client.updateItem(it -> it.applyMutation(request)
                    .tableName(url.table())
                    .returnConsumedCapacity(capacity)
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            requests.consumed(RequestKind.UPDATE, response.consumedCapacity());
            return response.attributes();
        });
    }

    /** @param request all fields except the table */
    public WriteResult delete(Consumer<DeleteItemRequest.Builder> request) {
        return write(RequestKind.DELETE, "DeleteItem", () -> {
            DeleteItemResponse response = client.deleteItem(it -> it.applyMutation(request)
                    .tableName(url.table())
                    .returnConsumedCapacity(capacity)
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            requests.consumed(RequestKind.DELETE, response.consumedCapacity());
            return response.attributes();
        });
    }

    /** Returns one page. */
    public ScanResponse scan(Consumer<ScanRequest.Builder> request) {
        ScanResponse response = send(
                RequestKind.SCAN,
                "Scan",
                () -> client.scan(
                        it -> it.applyMutation(request).tableName(url.table()).returnConsumedCapacity(capacity)));
        requests.consumed(RequestKind.SCAN, response.consumedCapacity());
        return response;
    }

    /** Applies several changes at once, within the limit in flight, and returns their outcomes when all are finished. */
    public List<WriteOutcome> applyAll(List<Change> changes, Function<Change, WriteOutcome> call) {
        return callThreads.run(changes, change -> {
            try {
                return call.apply(change);
            } catch (StoreException e) {
                return new WriteOutcome.Failed(e); // of this change alone
            }
        });
    }

    private WriteResult write(RequestKind kind, String action, Supplier<Map<String, AttributeValue>> call) {
        return send(kind, action, () -> {
            try {
                return new WriteResult.Applied(call.get());
            } catch (ConditionalCheckFailedException e) {
                return new WriteResult.Refused(e.item());
            }
        });
    }

    private <T> T send(RequestKind kind, String action, Supplier<T> call) {
        // The SDK rejects calls on an interrupted thread. This may be the user's thread, and its interrupt is not for
        // us.
        boolean interrupted = Thread.interrupted();
        inFlight.acquireUninterruptibly();
        try {
            requests.sent(kind);
            return call.get();
        } catch (SdkException e) {
            throw DynamoErrors.of(e, kind.isWrite(), action, url);
        } finally {
            inFlight.release();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        callThreads.close();
        client.close();
    }
}
