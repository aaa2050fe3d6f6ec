package dev.holdfast.guard.dynamodb;

import static dev.holdfast.guard.dynamodb.GuardedTable.key;
import static dev.holdfast.guard.dynamodb.GuardedTable.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.guard.StaleFenceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ExpectedAttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class DynamoFenceGuardTest {
    private static final Key KEY = Key.of("accounts", "1");
    private static final long OLD_FENCE = 1_800_000_000_000_033L;
    private static final long NEW_FENCE = 1_800_000_000_000_034L;
    private static final DynamoFenceGuard OLD = DynamoFenceGuard.of(KEY, Fence.of(OLD_FENCE));
    private static final DynamoFenceGuard NEW = DynamoFenceGuard.of(KEY, Fence.of(NEW_FENCE));

    private final GuardedTable table = GuardedTable.create(LocalDynamo.endpoint(), LocalDynamo.freshTable());

    @AfterEach
    void close() {
        table.close();
    }

    private PutItemRequest put(long balance) {
        return PutItemRequest.builder()
                .tableName(table.name())
                .item(Map.of("id", AttributeValue.fromS("a"), "balance", number(balance)))
                .build();
    }

    private UpdateItemRequest update(@Nullable String expression, Map<String, AttributeValue> values) {
        return UpdateItemRequest.builder()
                .tableName(table.name())
                .key(key("a"))
                .updateExpression(expression)
                .expressionAttributeValues(values.isEmpty() ? null : values)
                .build();
    }

    private UpdateItemRequest setBalance(long balance) {
        return update("SET balance = :b", Map.of(":b", number(balance)));
    }

    private DeleteItemRequest delete() {
        return DeleteItemRequest.builder().tableName(table.name()).key(key("a")).build();
    }

    private void send(DynamoFenceGuard guard, Object request) {
        try {
            if (request instanceof PutItemRequest put) {
                table.client().putItem(guard.guarded(put));
            } else if (request instanceof UpdateItemRequest update) {
                table.client().updateItem(guard.guarded(update));
            } else {
                table.client().deleteItem(guard.guarded((DeleteItemRequest) request));
            }
        } catch (ConditionalCheckFailedException e) {
            throw guard.explain(e);
        }
    }

    private void send(DynamoFenceGuard guard, TransactWriteItemsRequest request) {
        try {
            table.client().transactWriteItems(request);
        } catch (TransactionCanceledException e) {
            throw guard.explain(e, request);
        }
    }

    private @Nullable String attribute(String name) {
        return table.attribute("a", name).n();
    }

    @Test
    void anOlderFenceIsRefusedAndTheSameOnePasses() {
        send(OLD, put(1));
        send(OLD, setBalance(2));
        send(NEW, setBalance(3));
        send(NEW, put(4));

        for (Object request : List.of(put(5), setBalance(5), delete())) {
            assertThatExceptionOfType(StaleFenceException.class)
                    .isThrownBy(() -> send(OLD, request))
                    .withMessageContaining(String.valueOf(OLD_FENCE))
                    .withMessageContaining(String.valueOf(NEW_FENCE))
                    .withCauseInstanceOf(ConditionalCheckFailedException.class);
        }
        assertThat(attribute("balance")).isEqualTo("4");
        assertThat(attribute("holdfast_fence")).isEqualTo(String.valueOf(NEW_FENCE));
        send(NEW, delete());
        assertThat(table.read("a")).isEmpty();
    }

    @Test
    void anItemWithoutAFenceIsGuardedFromItsFirstWrite() {
        table.client().putItem(put(1));

        send(NEW, setBalance(2));

        assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> send(OLD, setBalance(3)));
    }

    /** An update may have each clause once, in any order; keywords in any case. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SET a = :1                                        | 1 | 5 | 10 | x y
            REMOVE b                                          |   |   | 10 | x y
            ADD n :1                                          |   | 5 | 11 | x y
            DELETE s :s                                       |   | 5 | 10 | y
            REMOVE b SET a = :1                               | 1 |   | 10 | x y
            DELETE s :s ADD n :1 REMOVE b\tset a = :1         | 1 |   | 11 | y
            set a = if_not_exists(a, :1), b = b + :1 REMOVE c | 1 | 6 | 10 | x y
            SET#set=:1 ADD #add :1                            | 1 | 5 | 11 | x y
            ADD #add :set                                     |   | 5 | 11 | x y
            """)
    void everyFormOfAnUpdateIsKept(String expression, @Nullable String a, @Nullable String b, String n, String s) {
        table.client()
                .putItem(request -> request.tableName(table.name())
                        .item(Map.of(
                                "id", AttributeValue.fromS("a"),
                                "b", number(5),
                                "n", number(10),
                                "s", AttributeValue.fromSs(List.of("x", "y")))));
        Map<String, AttributeValue> values = new HashMap<>();
        for (String name : List.of(":1", ":set")) {
            if (expression.contains(name)) {
                values.put(name, number(1));
            }
        }
        if (expression.contains(":s ") || expression.endsWith(":s")) {
            values.put(":s", AttributeValue.fromSs(List.of("x")));
        }
        Map<String, String> names = new HashMap<>();
        if (expression.contains("#set")) {
            names.put("#set", "a");
        }
        if (expression.contains("#add")) {
            names.put("#add", "n");
        }

        send(
                NEW,
                update(expression, values).toBuilder()
                        .expressionAttributeNames(names.isEmpty() ? null : names)
                        .build());

        assertThat(attribute("a")).isEqualTo(a);
        assertThat(attribute("b")).isEqualTo(b);
        assertThat(attribute("n")).isEqualTo(n);
        assertThat(table.attribute("a", "s").ss()).containsExactlyInAnyOrder(s.split(" "));
        assertThat(attribute("holdfast_fence")).isEqualTo(String.valueOf(NEW_FENCE));
        assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> send(OLD, update(null, Map.of())));
    }

    @Test
    void anUpdateWithoutAnExpressionSetsTheFence() {
        send(NEW, update(null, Map.of()));

        assertThat(attribute("holdfast_fence")).isEqualTo(String.valueOf(NEW_FENCE));
    }

    /** Without parentheses, the condition of the request would weaken that of the guard. */
    @Test
    void aConditionWithOrDoesNotLetAnOldFencePass() {
        send(NEW, put(1));
        String always = "attribute_exists(id) OR attribute_not_exists(id)";

        assertThatExceptionOfType(StaleFenceException.class)
                .isThrownBy(() ->
                        send(OLD, put(2).toBuilder().conditionExpression(always).build()));
        assertThatExceptionOfType(StaleFenceException.class)
                .isThrownBy(() -> send(
                        OLD,
                        setBalance(2).toBuilder().conditionExpression(always).build()));
        assertThatExceptionOfType(StaleFenceException.class)
                .isThrownBy(() -> send(
                        OLD, delete().toBuilder().conditionExpression(always).build()));
    }

    @Test
    void theConditionOfTheRequestIsKeptAndItsFailureIsNotTakenForAnOldFence() {
        send(OLD, put(1));
        UpdateItemRequest ifTwo = update("SET balance = :b", Map.of(":b", number(3), ":two", number(2))).toBuilder()
                .conditionExpression("balance = :two")
                .build();
        PutItemRequest ifAbsent = put(4).toBuilder()
                .conditionExpression("attribute_not_exists(id)")
                .build();
        DeleteItemRequest ofAnAbsentItem = DeleteItemRequest.builder()
                .tableName(table.name())
                .key(key("absent"))
                .conditionExpression("attribute_exists(id)")
                .build();

        for (Object request : List.of(ifTwo, ifAbsent, ofAnAbsentItem)) {
            assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> send(NEW, request));
        }
        send(OLD, setBalance(2));
        send(OLD, ifTwo);
        assertThat(attribute("balance")).isEqualTo("3");
    }

    @Test
    void placeholdersOfTheRequestAreNotReplaced() {
        send(
                NEW,
                update("SET #holdfast_fence = :holdfast_fence", Map.of(":holdfast_fence", number(1))).toBuilder()
                        .expressionAttributeNames(Map.of("#holdfast_fence", "balance"))
                        .build());

        assertThat(attribute("balance")).isEqualTo("1");
        assertThat(attribute("holdfast_fence")).isEqualTo(String.valueOf(NEW_FENCE));
    }

    @Test
    void theAttributeCanHaveAnotherName() {
        send(NEW.attribute("token of lease"), put(1));

        assertThat(attribute("token of lease")).isEqualTo(String.valueOf(NEW_FENCE));
        assertThatExceptionOfType(StaleFenceException.class)
                .isThrownBy(() -> send(OLD.attribute("token of lease"), put(2)));
    }

    @Test
    void requestsInTheOldFormAreRefused() {
        Map<String, ExpectedAttributeValue> expected =
                Map.of("a", ExpectedAttributeValue.builder().exists(false).build());

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> NEW.guarded(put(1).toBuilder().expected(expected).build()))
                .withMessageContaining("ConditionExpression");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NEW.guarded(
                        UpdateItemRequest.builder().attributeUpdates(Map.of()).build()));
    }

    private static TransactWriteItemsRequest transaction(List<TransactWriteItem> items) {
        return TransactWriteItemsRequest.builder().transactItems(items).build();
    }

    private TransactWriteItem putOf(String id) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table.name()).item(key(id)))
                .build();
    }

    /** A transaction with a fence item. */
    private TransactWriteItemsRequest withFenceItem(DynamoFenceGuard guard, TransactWriteItem... items) {
        return guard.guarded(transaction(List.of(items)), table.name(), key("fence of " + KEY));
    }

    @Test
    void aDeletedItemForgetsItsFenceAndAFenceItemDoesNot() {
        send(NEW, put(1));
        send(NEW, delete());
        send(OLD, put(2)); // As documented.
        TransactWriteItem deletion = TransactWriteItem.builder()
                .delete(Delete.builder().tableName(table.name()).key(key("a")).build())
                .build();

        send(NEW, withFenceItem(NEW, deletion));

        assertThatExceptionOfType(StaleFenceException.class)
                .isThrownBy(() -> send(OLD, withFenceItem(OLD, putOf("a"))))
                .withCauseInstanceOf(TransactionCanceledException.class);
        assertThat(table.read("a")).isEmpty();
        send(NEW, withFenceItem(NEW, putOf("a")));
        assertThat(table.read("a")).isNotEmpty();
    }

    @Test
    void aTransactionMayHave99ItemsBesideTheFenceItem() {
        List<TransactWriteItem> items = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            items.add(putOf("item" + i));
        }
        send(NEW, withFenceItem(NEW, items.toArray(TransactWriteItem[]::new)));
        assertThat(table.read("item98")).isNotEmpty();

        items.add(putOf("one too many"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withFenceItem(NEW, items.toArray(TransactWriteItem[]::new)))
                .withMessageContaining("transactItems: 100 (expected: < 100");
    }

    @Test
    void theItemsOfATransactionAreGuardedByTheirOwnFences() {
        send(NEW, put(1));
        Put put = Put.builder().tableName(table.name()).item(key("a")).build();
        Update update = Update.builder()
                .tableName(table.name())
                .key(key("a"))
                .updateExpression("REMOVE balance")
                .build();
        Delete delete = Delete.builder().tableName(table.name()).key(key("a")).build();

        for (TransactWriteItem old : List.of(
                TransactWriteItem.builder().put(OLD.guarded(put)).build(),
                TransactWriteItem.builder().update(OLD.guarded(update)).build(),
                TransactWriteItem.builder().delete(OLD.guarded(delete)).build())) {
            assertThatExceptionOfType(StaleFenceException.class)
                    .isThrownBy(() -> send(OLD, transaction(List.of(putOf("b"), old))));
        }
        assertThat(table.read("b")).isEmpty();
        send(
                NEW,
                transaction(List.of(
                        TransactWriteItem.builder().update(NEW.guarded(update)).build())));
        assertThat(attribute("balance")).isNull();
    }

    /** The item has a newer fence, but that of another key: the transaction does not guard it. */
    @Test
    void aFailedConditionOfTheTransactionIsNotTakenForAnOldFence() {
        send(NEW, put(1));
        Put ifAbsent = Put.builder()
                .tableName(table.name())
                .item(key("a"))
                .conditionExpression("attribute_not_exists(id)")
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        TransactWriteItem unguarded = TransactWriteItem.builder().put(ifAbsent).build();

        assertThatExceptionOfType(TransactionCanceledException.class)
                .isThrownBy(() -> send(OLD, withFenceItem(OLD, unguarded)));
    }
}
