package dev.holdfast.bench;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** The Amazon DynamoDB Lock Client, with the same HTTP client as Holdfast, and otherwise set up as in its README. */
final class LockClientContender implements Contender {
    private static final String TABLE = "lock-client";

    private final AtomicLong requests = new AtomicLong();
    private final Duration term;
    private final DynamoDbClient dynamo;
    private final AmazonDynamoDBLockClient client;

    LockClientContender(BenchDynamo at, Duration term) {
        this.term = term;
        this.dynamo = DynamoDbClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(at.endpoint())
                .httpClient(Apache5HttpClient.builder().maxConnections(32).build())
                .overrideConfiguration(config -> config.addExecutionInterceptor(new Counting(requests)))
                .build();
        dynamo.createTable(request -> request.tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(List.of(AttributeDefinition.builder()
                        .attributeName("key")
                        .attributeType("S")
                        .build()))
                .keySchema(List.of(KeySchemaElement.builder()
                        .attributeName("key")
                        .keyType("HASH")
                        .build())));
        this.client = open(true);
    }

    private AmazonDynamoDBLockClient open(boolean heartbeats) {
        return new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(dynamo, TABLE)
                .withTimeUnit(TimeUnit.MILLISECONDS)
                .withLeaseDuration(term.toMillis())
                .withHeartbeatPeriod(term.toMillis() / 3)
                .withCreateHeartbeatBackgroundThread(heartbeats)
                .build());
    }

    @Override
    public String name() {
        return "dynamodb-lock-client";
    }

    @Override
    public void cycle(String lock) throws InterruptedException {
        client.releaseLock(client.acquireLock(AcquireLockOptions.builder(lock).build()));
    }

    @Override
    public Duration takeOver(String lock) throws InterruptedException {
        open(false).acquireLock(AcquireLockOptions.builder(lock).build());
        long startNanos = System.nanoTime();
        LockItem taken = client.acquireLock(AcquireLockOptions.builder(lock)
                .withTimeUnit(TimeUnit.MILLISECONDS)
                .withAdditionalTimeToWaitForLock(60_000L)
                .withRefreshPeriod(Long.getLong("refresh", 1_000L))
                .build());
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        client.releaseLock(taken);
        return took;
    }

    @Override
    public long requests() {
        return requests.get();
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        dynamo.close();
    }

    private record Counting(AtomicLong requests) implements ExecutionInterceptor {
        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            requests.incrementAndGet();
        }
    }
}
