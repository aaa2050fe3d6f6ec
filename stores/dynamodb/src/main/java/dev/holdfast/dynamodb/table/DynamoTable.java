package dev.holdfast.dynamodb.table;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.DynamoUrl;
import dev.holdfast.dynamodb.ServiceClock;
import dev.holdfast.store.HostEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
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
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * One table, and all that is ever sent to it while leases are used. Every request is sent once: whoever asked decides
 * whether to ask again, as only it knows what a second write would mean.
 *
 * <p>Counts requests, keeps the number in flight below a bound, tells trouble as a {@link StoreException}, and listens to
 * what time the service says it is.
 *
 * <p>Thread-safe; calls block.
 */
public final class DynamoTable implements AutoCloseable {
    /** The most keys that the service takes in one request. */
    public static final int BATCH_GET_LIMIT = 100;

    /** Of one question for many keys; each brings some of them. Then whoever asked backs off. */
    private static final int BATCH_GET_ROUNDS = 8;

    private final DynamoDbClient client;
    private final DynamoUrl url;
    private final RequestCounter requests = new RequestCounter();
    private final Semaphore inFlight;
    private final CallThreads callThreads;
    private final ServiceClock clock;
    /** What to ask of the service besides; null: nothing, as it costs it some work with every request. */
    private final @Nullable ReturnConsumedCapacity capacity;

    /** Opens what {@code url} names; nothing is sent yet. */
    public static DynamoTable open(DynamoUrl url, HostEnvironment hostEnvironment) {
        ServiceClock clock = new ServiceClock(hostEnvironment);
        return new DynamoTable(DynamoTransport.client(url, clock), url, clock);
    }

    /** @param client is closed with the table */
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

    /** What was sent so far. */
    public RequestCounter requests() {
        return requests;
    }

    /** How the clock of this machine compares with the service's. */
    public ServiceClock clock() {
        return clock;
    }

    /** The item as it is now; empty if there is none. */
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
     * The items of {@code keys} as they are now: those that exist, in any order.
     *
     * @param keys at most {@link #BATCH_GET_LIMIT}
     */
    public List<Map<String, AttributeValue>> batchGet(List<Map<String, AttributeValue>> keys) {
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

    /** @param request all but the table */
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

    /** @param request all but the table */
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

    /** @param request all but the table */
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

    /** One page. */
    public QueryResponse query(Consumer<QueryRequest.Builder> request) {
        QueryResponse response = send(
                RequestKind.QUERY,
                "Query",
                () -> client.query(
                        it -> it.applyMutation(request).tableName(url.table()).returnConsumedCapacity(capacity)));
        requests.consumed(RequestKind.QUERY, response.consumedCapacity());
        return response;
    }

    /** One page. */
    public ScanResponse scan(Consumer<ScanRequest.Builder> request) {
        ScanResponse response = send(
                RequestKind.SCAN,
                "Scan",
                () -> client.scan(
                        it -> it.applyMutation(request).tableName(url.table()).returnConsumedCapacity(capacity)));
        requests.consumed(RequestKind.SCAN, response.consumedCapacity());
        return response;
    }

    /** Makes several calls of this table at once, as many as may be in flight, and returns when all are over. */
    public <T> List<TableAttempt<T>> together(List<Supplier<T>> calls) {
        return callThreads.run(calls);
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
        // The SDK refuses to work on an interrupted thread. This may be a user's own, whose interrupt is not for us.
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
