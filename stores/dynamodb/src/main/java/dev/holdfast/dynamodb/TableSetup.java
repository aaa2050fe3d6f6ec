package dev.holdfast.dynamodb;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.table.DynamoErrors;
import dev.holdfast.dynamodb.table.DynamoTransport;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Creation, upgrade and inspection of a table. Processes that only lease never use it. */
final class TableSetup implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(1);

    /** A table takes some seconds, or a minute or two on a bad day. */
    private static final int MOST_POLLS = 300;

    private static final int POLLS_PER_NOTE = 5;

    private final DynamoUrl url;
    private final DynamoDbClient client;
    private final HostEnvironment hostEnvironment = new CallerThreadEnvironment();

    private TableSetup(DynamoUrl url, DynamoDbClient client) {
        this.url = url;
        this.client = client;
    }

    static TableSetup open(DynamoUrl url) {
        return new TableSetup(url, DynamoTransport.client(url));
    }

    /** Creates a missing table, and waits until it can be used. Does not change an existing table. */
    void init(Consumer<String> progress) {
        requireCreatedByUs();
        Optional<TableDescription> before = describe();
        if (before.isEmpty()) {
            TableBilling tableBilling = TableBilling.of(url);
            progress.accept("creating the table " + url.table() + ", " + tableBilling);
            create(tableBilling, false);
            awaitActive(() -> {}, progress);
            setTimeToLive(progress);
        } else {
            TableCheck.requireOurs(url, before.get());
            progress.accept("the table " + url.table() + " is there already");
            awaitActive(() -> {}, progress);
            if (timeToLive().isEmpty()) {
                progress.accept("its time to live is off; holdfast store upgrade sets it");
            }
        }
        progress.accept("the table " + url.table() + " is ready");
    }

    /**
     * Creates a table that must not exist yet, and waits until it can be used.
     *
     * @param polling called before each check whether it can be used
     */
    void createNew(Runnable polling) {
        create(TableBilling.of(url), true);
        awaitActive(polling, line -> {});
    }

    /** Enables expiry for the items of a new table, and waits until the table can be used. */
    void expireNew(Runnable polling) {
        enableTimeToLive();
        awaitActive(polling, line -> {});
    }

    /**
     * Adds settings that an existing table lacks. There is only one format so far, which needs no mark in the table.
     *
     * @param format called once the table is known to exist
     */
    void upgrade(Supplier<FormatLimits> format, Consumer<String> progress) {
        requireCreatedByUs();
        TableDescription table = describe()
                .orElseThrow(() -> StoreException.rejected(
                        "DynamoDB: there is no table " + url.table() + "; create it with: holdfast store init --store '"
                                + url + "'",
                        null));
        TableCheck.requireOurs(url, table);
        format.get().requireWritable("the table " + url.table());
        awaitActive(() -> {}, progress);
        setTimeToLive(progress);
        progress.accept("the table " + url.table() + " is of format " + FormatLimits.OWN
                + ", the newest that this version of Holdfast knows");
    }

    private void requireCreatedByUs() {
        if (!url.layout().isCreatedByUs()) {
            throw StoreException.rejected(
                    "layout: " + url.layout().word()
                            + " (expected: native or awsflock, as other tables are created by their own tools)",
                    null);
        }
    }

    private void setTimeToLive(Consumer<String> progress) {
        if (timeToLive().isEmpty()) {
            progress.accept("setting the time to live");
            enableTimeToLive();
        }
    }

    private void enableTimeToLive() {
        String ttlName = url.shape().timeToLive().orElseThrow();
        send(
                "UpdateTimeToLive",
                () -> client.updateTimeToLive(request -> request.tableName(url.table())
                        .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(ttlName))));
    }

    private void create(TableBilling tableBilling, boolean mustBeNew) {
        send("CreateTable", () -> {
            try {
                return client.createTable(newTable(url, tableBilling));
            } catch (ResourceInUseException e) {
                if (mustBeNew) {
                    throw StoreException.rejected("DynamoDB: the table " + url.table() + " is there already", e);
                }
                return null; // Another process is creating it right now.
            }
        });
    }

    static CreateTableRequest newTable(DynamoUrl url, TableBilling tableBilling) {
        List<String> keys = url.shape().keys();
        CreateTableRequest.Builder request = CreateTableRequest.builder()
                .tableName(url.table())
                .attributeDefinitions(keys.stream()
                        .map(key -> AttributeDefinition.builder()
                                .attributeName(key)
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .toList())
                .keySchema(keys.stream()
                        .map(key -> KeySchemaElement.builder()
                                .attributeName(key)
                                .keyType(key.equals(keys.get(0)) ? KeyType.HASH : KeyType.RANGE)
                                .build())
                        .toList());
        tableBilling.applyTo(request);
        return request.build();
    }

    /** @param polling called before each check whether the table can be used */
    private void awaitActive(Runnable polling, Consumer<String> progress) {
        for (int poll = 0; poll < MOST_POLLS; poll++) {
            polling.run();
            Optional<TableDescription> table = describe();
            if (table.isPresent() && table.get().tableStatus() == TableStatus.ACTIVE) {
                TableCheck.requireOurs(url, table.get());
                return;
            }
            String status = table.map(TableDescription::tableStatusAsString).orElse("not there yet");
            if (poll % POLLS_PER_NOTE == 0) {
                progress.accept("waiting for the table " + url.table() + ": " + status + ", " + poll + " s");
            }
            pause();
        }
        throw StoreException.notApplied(
                "DynamoDB: the table " + url.table() + " was not ready after " + MOST_POLLS + " s; run this again",
                null);
    }

    private void pause() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        hostEnvironment.schedule(POLL, () -> over.complete(null));
        try {
            hostEnvironment.await(over);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.notApplied("DynamoDB: interrupted while waiting for the table", e);
        }
    }

    /** Returns the description; empty if there is no such table. */
    Optional<TableDescription> describe() {
        return send("DescribeTable", () -> {
            try {
                return Optional.of(client.describeTable(request -> request.tableName(url.table()))
                        .table());
            } catch (ResourceNotFoundException e) {
                return Optional.<TableDescription>empty();
            }
        });
    }

    /** Returns the attribute by which items expire; empty if they do not. */
    Optional<String> timeToLive() {
        TimeToLiveDescription ttl = send(
                "DescribeTimeToLive",
                () -> client.describeTimeToLive(request -> request.tableName(url.table()))
                        .timeToLiveDescription());
        boolean on = ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
        return on ? Optional.ofNullable(ttl.attributeName()) : Optional.empty();
    }

    private <T extends @Nullable Object> T send(String action, Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException e) {
            throw DynamoErrors.of(e, false, action, url);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
