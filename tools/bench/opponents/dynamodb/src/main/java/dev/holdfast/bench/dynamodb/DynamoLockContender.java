package dev.holdfast.bench.dynamodb;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import dev.holdfast.bench.contender.PollingWait;
import dev.holdfast.bench.contender.StoreCounts;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The Amazon DynamoDB Lock Client, with the same HTTP client as Holdfast, and otherwise set up as in its README. */
final class DynamoLockContender implements LockContender {
    private static final String TABLE = "lock-client";
    private static final int CONNECTIONS = 64;

    private final LockRequestCounter requests = new LockRequestCounter();
    private final DynamoDbClient dynamo;
    private final AmazonDynamoDBLockClient client;

    DynamoLockContender(ContenderSettings settings) {
        dynamo = DynamoDbClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(URI.create(settings.url()))
                // DynamoDB Local accepts any.
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClient(Apache5HttpClient.builder()
                        .maxConnections(CONNECTIONS)
                        .connectionAcquisitionTimeout(Duration.ofMinutes(1))
                        .build())
                .overrideConfiguration(config -> config.addExecutionInterceptor(requests))
                .build();
        createTable();
        client = new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(dynamo, TABLE)
                .withTimeUnit(TimeUnit.MILLISECONDS)
                .withLeaseDuration(settings.term().toMillis())
                .withHeartbeatPeriod(settings.term().toMillis() / 3)
                .withCreateHeartbeatBackgroundThread(true)
                .build());
    }

    private void createTable() {
        try {
            dynamo.createTable(request -> request.tableName(TABLE)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName("key")
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName("key")
                            .keyType(KeyType.HASH)
                            .build()));
        } catch (ResourceInUseException e) {
            // Another process created it.
        }
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws InterruptedException {
        try {
            return client.tryAcquireLock(AcquireLockOptions.builder(name)
                            .withShouldSkipBlockingWait(true)
                            .build())
                    .map(item -> () -> client.releaseLock(item));
        } catch (LockCurrentlyUnavailableException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws InterruptedException {
        return client.tryAcquireLock(AcquireLockOptions.builder(name)
                        .withTimeUnit(TimeUnit.MILLISECONDS)
                        .withAdditionalTimeToWaitForLock(wait.toMillis())
                        .withRefreshPeriod(PollingWait.meanPause().toMillis())
                        .build())
                .map(item -> () -> client.releaseLock(item));
    }

    @Override
    public StoreCounts counts() {
        return requests.counts();
    }

    @Override
    public void close() throws IOException {
        client.close();
        dynamo.close();
    }
}
