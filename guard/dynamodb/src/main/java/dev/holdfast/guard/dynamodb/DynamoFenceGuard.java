package dev.holdfast.guard.dynamodb;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.StaleFenceException;
import dev.holdfast.guard.dynamodb.FenceExpression.Original;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The guard of items in DynamoDB. It adds to a write the condition that the item has no newer fence, and the fence itself. So the
 * write and the check are one operation of DynamoDB.
 *
 * <pre>{@code
 * DynamoFenceGuard guard = DynamoFenceGuard.of(lease);
 * try {
 *     client.updateItem(guard.guarded(request));
 * } catch (ConditionalCheckFailedException e) {
 *     throw guard.explain(e); // StaleFenceException if the fence was refused, and e if it was the condition of the request
 * }
 * }</pre>
 *
 * <p>The fence is an attribute of the item, by default {@code holdfast_fence}. The condition of the request is kept: both must
 * hold. All writers of an item must use the guard, and the same key for the same item.
 *
 * <p><b>A deleted item forgets its fence.</b> After that, a put or an update of an old holder passes. Where items are deleted, mark
 * them as deleted instead, or use a transaction with a fence item: see {@link #guarded(TransactWriteItemsRequest, String, Map)}.
 * That also guards several items with one lease.
 *
 * <p>A batch ({@code BatchWriteItem}) has no conditions and cannot be guarded.
 *
 * <p>Immutable; thread-safe.
 */
public final class DynamoFenceGuard {
    /** The name of the attribute, unless another is chosen. */
    public static final String DEFAULT_ATTRIBUTE = "holdfast_fence";

    /** The limit of DynamoDB for the items of a transaction. */
    private static final int TRANSACTION_ITEMS_MAX = 100;

    private static final ReturnValuesOnConditionCheckFailure ALL_OLD = ReturnValuesOnConditionCheckFailure.ALL_OLD;

    private final Key key;
    private final Fence fence;
    private final String attribute;

    private DynamoFenceGuard(Key key, Fence fence, String attribute) {
        this.key = key;
        this.fence = fence;
        this.attribute = attribute;
    }

    /**
     * The guard of the writes under a lease. It does not ask whether the lease is held.
     *
     * @throws IllegalArgumentException if the fence can fall: in the tables of other tools
     */
    public static DynamoFenceGuard of(Lease lease) {
        return of(lease.key(), FenceGuard.fenceOf(lease));
    }

    /** The guard of the writes with a fence that was received, for example with an HTTP request. */
    public static DynamoFenceGuard of(Key key, Fence fence) {
        return new DynamoFenceGuard(key, fence, DEFAULT_ATTRIBUTE);
    }

    /** With another name of the attribute. */
    public DynamoFenceGuard attribute(String newAttribute) {
        if (newAttribute.isEmpty()) {
            throw new IllegalArgumentException("attribute: (expected: a name)");
        }
        return new DynamoFenceGuard(key, fence, newAttribute);
    }

    /**
     * A put that fails if the item has a newer fence. The new item has the fence of this guard.
     *
     * @throws IllegalArgumentException if the request has a condition in the old form ({@code Expected}), which DynamoDB does not
     *     combine with expressions
     */
    public PutItemRequest guarded(PutItemRequest request) {
        requireExpressions(request.hasExpected());
        FenceExpression merged = merge(
                request.conditionExpression(),
                null,
                request.expressionAttributeNames(),
                request.expressionAttributeValues());
        return request.toBuilder()
                .item(fenced(request.item()))
                .conditionExpression(merged.condition())
                .expressionAttributeNames(merged.names())
                .expressionAttributeValues(merged.values())
                .returnValuesOnConditionCheckFailure(ALL_OLD)
                .build();
    }

    /**
     * An update that fails if the item has a newer fence. It also sets the fence.
     *
     * @throws IllegalArgumentException if the request is in the old form ({@code AttributeUpdates}, {@code Expected}), which
     *     DynamoDB does not combine with expressions
     */
    public UpdateItemRequest guarded(UpdateItemRequest request) {
        requireExpressions(request.hasExpected() || request.hasAttributeUpdates());
        FenceExpression merged = merge(
                request.conditionExpression(),
                request.updateExpression(),
                request.expressionAttributeNames(),
                request.expressionAttributeValues());
        return request.toBuilder()
                .updateExpression(merged.update())
                .conditionExpression(merged.condition())
                .expressionAttributeNames(merged.names())
                .expressionAttributeValues(merged.values())
                .returnValuesOnConditionCheckFailure(ALL_OLD)
                .build();
    }

    /**
     * A delete that fails if the item has a newer fence. <b>The fence is deleted with the item</b>: after that, a put of an old
     * holder passes.
     *
     * @throws IllegalArgumentException if the request has a condition in the old form ({@code Expected}), which DynamoDB does not
     *     combine with expressions
     */
    public DeleteItemRequest guarded(DeleteItemRequest request) {
        requireExpressions(request.hasExpected());
        FenceExpression merged = merge(
                request.conditionExpression(),
                null,
                request.expressionAttributeNames(),
                request.expressionAttributeValues());
        return request.toBuilder()
                .conditionExpression(merged.condition())
                .expressionAttributeNames(merged.names())
                .expressionAttributeValues(merged.values())
                .returnValuesOnConditionCheckFailure(ALL_OLD)
                .build();
    }

    /** A put of a transaction, which fails if the item has a newer fence. */
    public Put guarded(Put put) {
        FenceExpression merged =
                merge(put.conditionExpression(), null, put.expressionAttributeNames(), put.expressionAttributeValues());
        return put.toBuilder()
                .item(fenced(put.item()))
                .conditionExpression(merged.condition())
                .expressionAttributeNames(merged.names())
                .expressionAttributeValues(merged.values())
                .returnValuesOnConditionCheckFailure(ALL_OLD)
                .build();
    }

    /** An update of a transaction, which fails if the item has a newer fence. It also sets the fence. */
    public Update guarded(Update update) {
        FenceExpression merged = merge(
                update.conditionExpression(),
                update.updateExpression(),
                update.expressionAttributeNames(),
                update.expressionAttributeValues());
        return update.toBuilder()
                .updateExpression(merged.update())
                .conditionExpression(merged.condition())
                .expressionAttributeNames(merged.names())
                .expressionAttributeValues(merged.values())
                .returnValuesOnConditionCheckFailure(ALL_OLD)
                .build();
    }

    /** A delete of a transaction, which fails if the item has a newer fence. The fence is deleted with the item. */
    public Delete guarded(Delete delete) {
        FenceExpression merged = merge(
                delete.conditionExpression(),
                null,
                delete.expressionAttributeNames(),
                delete.expressionAttributeValues());
        return delete.toBuilder()
                .conditionExpression(merged.condition())
                .expressionAttributeNames(merged.names())
                .expressionAttributeValues(merged.values())
                .returnValuesOnConditionCheckFailure(ALL_OLD)
                .build();
    }

    /**
     * A transaction that fails if a fence item has a newer fence. The fence item is written with the transaction and never
     * deleted, so it also guards deletes. The other items of the transaction are left as they are.
     *
     * <p>The fence item counts as one of the 100 items of a transaction.
     *
     * @param fenceTable the table of the fence item
     * @param fenceItem the primary key of the fence item: one item per key of a lease, used for nothing else
     * @throws IllegalArgumentException if the transaction has 100 items already
     */
    public TransactWriteItemsRequest guarded(
            TransactWriteItemsRequest request, String fenceTable, Map<String, AttributeValue> fenceItem) {
        int size = request.transactItems().size();
        if (size >= TRANSACTION_ITEMS_MAX) {
            throw new IllegalArgumentException("transactItems: " + size + " (expected: < " + TRANSACTION_ITEMS_MAX
                    + ", because the fence item is one of the " + TRANSACTION_ITEMS_MAX + " that DynamoDB allows)");
        }
        Update update =
                guarded(Update.builder().tableName(fenceTable).key(fenceItem).build());
        List<TransactWriteItem> items = new ArrayList<>(request.transactItems());
        items.add(TransactWriteItem.builder().update(update).build());
        return request.toBuilder().transactItems(items).build();
    }

    /**
     * The reason why a guarded put, update or delete failed.
     *
     * @return {@link StaleFenceException} if the item has a newer fence; otherwise {@code e}, as the condition of the request
     *     itself failed
     */
    public RuntimeException explain(ConditionalCheckFailedException e) {
        Fence newest = e.hasItem() ? newerFence(e.item()) : null;
        return newest == null ? e : new StaleFenceException(key, fence, newest, e);
    }

    /**
     * The reason why a transaction failed.
     *
     * @param request the transaction that was sent, with its guarded items
     * @return {@link StaleFenceException} if a guarded item or the fence item has a newer fence; otherwise {@code e}
     */
    public RuntimeException explain(TransactionCanceledException e, TransactWriteItemsRequest request) {
        List<TransactWriteItem> items = request.transactItems();
        List<CancellationReason> reasons = e.cancellationReasons();
        for (int i = 0; i < Math.min(items.size(), reasons.size()); i++) {
            CancellationReason reason = reasons.get(i);
            if ("ConditionalCheckFailed".equals(reason.code()) && reason.hasItem() && isGuarded(items.get(i))) {
                Fence newest = newerFence(reason.item());
                if (newest != null) {
                    return new StaleFenceException(key, fence, newest, e);
                }
            }
        }
        return e;
    }

    /** Whether an item has the condition of this guard. An item without it may have the fence of another key. */
    private boolean isGuarded(TransactWriteItem item) {
        if (item.put() != null) {
            return isGuarded(item.put().expressionAttributeNames(), item.put().expressionAttributeValues());
        }
        if (item.update() != null) {
            return isGuarded(
                    item.update().expressionAttributeNames(), item.update().expressionAttributeValues());
        }
        return item.delete() != null
                && isGuarded(
                        item.delete().expressionAttributeNames(), item.delete().expressionAttributeValues());
    }

    private boolean isGuarded(Map<String, String> names, Map<String, AttributeValue> values) {
        return names.containsValue(attribute) && values.containsValue(FenceExpression.number(fence));
    }

    private @Nullable Fence newerFence(Map<String, AttributeValue> item) {
        AttributeValue value = item.get(attribute);
        if (value == null || value.n() == null) {
            return null;
        }
        BigDecimal found = new BigDecimal(value.n()); // Any number may be there.
        return found.compareTo(BigDecimal.valueOf(fence.value())) <= 0
                ? null
                : Fence.of(found.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
    }

    private FenceExpression merge(
            @Nullable String condition,
            @Nullable String update,
            Map<String, String> names,
            Map<String, AttributeValue> values) {
        return FenceExpression.merge(new Original(condition, update, names, values), attribute, fence);
    }

    private Map<String, AttributeValue> fenced(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> fenced = new LinkedHashMap<>(item);
        fenced.put(attribute, FenceExpression.number(fence));
        return fenced;
    }

    private static void requireExpressions(boolean isOldForm) {
        if (isOldForm) {
            throw new IllegalArgumentException("request: has Expected or AttributeUpdates"
                    + " (expected: ConditionExpression and UpdateExpression, with which a fence can be combined)");
        }
    }
}
