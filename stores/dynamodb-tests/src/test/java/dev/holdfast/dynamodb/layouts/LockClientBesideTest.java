package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests of our locks beside the real amazon-dynamodb-lock-client, in real time. */
class LockClientBesideTest {
    private static final Key KEY = Key.of("lock");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ForeignTable table = new ForeignTable("layout=lockclient", "key");

    private AmazonDynamoDBLockClient library(String owner, Duration lease, boolean beats) {
        return new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(ForeignTable.CLIENT, table.name)
                .withOwnerName(owner)
                .withTimeUnit(TimeUnit.MILLISECONDS)
                .withLeaseDuration(lease.toMillis())
                .withHeartbeatPeriod(lease.toMillis() / 4)
                .withCreateHeartbeatBackgroundThread(beats)
                .build());
    }

    private AmazonDynamoDBLockClient library(String owner, Duration lease) {
        return library(owner, lease, true);
    }

    private static AcquireLockOptions atOnce(Key key) {
        return AcquireLockOptions.builder(key.name())
                .withShouldSkipBlockingWait(true)
                .withAdditionalTimeToWaitForLock(0L)
                .withRefreshPeriod(20L)
                .withTimeUnit(TimeUnit.MILLISECONDS)
                .build();
    }

    @Test
    void ourItemIsALockToThem() throws IOException {
        try (Leases ours = table.open("ours");
                AmazonDynamoDBLockClient library = library("theirs", LONG)) {
            ours.tryAcquire(KEY, BesideTest.renewed(LONG)).orThrow();

            LockItem lock = library.getLock(KEY.name(), Optional.empty()).orElseThrow();

            assertThat(lock.getOwnerName()).isEqualTo("ours");
            assertThat(table.item(KEY.name()).get("leaseDuration")).isEqualTo(AttributeValue.fromS("60061"));
        }
    }

    @Test
    void theyAreRejectedWhileWeHoldAndGrantedWhenWeRelease() throws Exception {
        try (Leases ours = table.open("ours");
                AmazonDynamoDBLockClient library = library("theirs", LONG)) {
            Lease lease = ours.tryAcquire(KEY, BesideTest.renewed(LONG)).orThrow();
            assertThat(refusedOrGranted(library, KEY)).isEmpty();

            lease.release();

            LockItem lock = refusedOrGranted(library, KEY).orElseThrow();
            assertThat(ours.tryAcquire(KEY, BesideTest.renewed(LONG))).isInstanceOf(AcquireResult.HeldByAnother.class);
            LeaseStatus status = ours.get(KEY).orElseThrow();
            assertThat(status.holder()).contains(Holder.of("theirs"));
            assertThat(library.releaseLock(lock)).isTrue();
            ours.tryAcquire(KEY, BesideTest.renewed(LONG)).orThrow();
        }
    }

    @Test
    void weTakeOverOnlyFromDeadClients() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        try (Leases ours = table.open("ours");
                AmazonDynamoDBLockClient alive = library("alive", Duration.ofSeconds(20));
                AmazonDynamoDBLockClient dead = library("dead", lease, false)) {
            assertThat(refusedOrGranted(alive, KEY)).isPresent();
            Key other = Key.of("other");
            assertThat(refusedOrGranted(dead, other)).isPresent();

            long startNanos = System.nanoTime();
            AcquireResult taken = ours.acquire(other, BesideTest.renewed(LONG), PATIENCE);

            assertThat(taken.isGranted()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThanOrEqualTo(lease);
            assertThat(ours.acquire(KEY, BesideTest.renewed(LONG), Duration.ofSeconds(3)))
                    .isInstanceOf(AcquireResult.HeldByAnother.class);
        }
    }

    @Test
    void theyTakeOverFromOurDeadClientAfterItsLeaseEnded() throws Exception {
        Duration term = Duration.ofSeconds(2);
        try (Leases ours = table.open("ours");
                AmazonDynamoDBLockClient library = library("theirs", LONG)) {
            Lease lease = ours.tryAcquire(KEY, BesideTest.unrenewed(term)).orThrow();

            LockItem taken = library.acquireLock(AcquireLockOptions.builder(KEY.name())
                    .withAdditionalTimeToWaitForLock(PATIENCE.toMillis())
                    .withRefreshPeriod(50L)
                    .withTimeUnit(TimeUnit.MILLISECONDS)
                    .build());

            assertThat(lease.isHeld()).isFalse();
            assertThat(taken.getOwnerName()).isEqualTo("theirs");
            assertThat(ours.release(KEY, lease.token())).isFalse();
        }
    }

    @Test
    void theirDataIsShownAndLeftUnchanged() throws Exception {
        byte[] data = "left behind".getBytes(StandardCharsets.UTF_8);
        try (Leases ours = table.open("ours");
                AmazonDynamoDBLockClient library = library("theirs", LONG)) {
            LockItem lock = library.acquireLock(AcquireLockOptions.builder(KEY.name())
                    .withData(ByteBuffer.wrap(data))
                    .withDeleteLockOnRelease(false)
                    .withAdditionalAttributes(Map.of("status", AttributeValue.fromS("x")))
                    .build());
            library.releaseLock(lock);

            Lease lease = ours.tryAcquire(KEY, BesideTest.renewed(LONG)).orThrow();

            assertThat(lease.attributes())
                    .isEqualTo(Attributes.of("data", new Bytes(data)).with("status", "x"));
            lease.renew();
            lease.release();
            assertThat(Objects.requireNonNull(table.item(KEY.name()).get("data"))
                            .b()
                            .asByteArray())
                    .isEqualTo(data);
        }
    }

    @Test
    void aSortKeyIsTheNameInTheNamespaceOfItsPartition() throws Exception {
        ForeignTable sorted = new ForeignTable("layout=lockclient&key=part&sort=range", "part", "range");
        AmazonDynamoDBLockClient library =
                new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(ForeignTable.CLIENT, sorted.name)
                        .withPartitionKeyName("part")
                        .withSortKeyName("range")
                        .withOwnerName("theirs")
                        .withCreateHeartbeatBackgroundThread(false)
                        .build());
        try (library;
                Leases ours = sorted.open("ours")) {
            library.acquireLock(
                    AcquireLockOptions.builder("p").withSortKey("s1").build());

            assertThat(ours.tryAcquire(Key.of("p", "s1"), BesideTest.renewed(LONG)))
                    .isInstanceOf(AcquireResult.HeldByAnother.class);
            ours.tryAcquire(Key.of("p", "s2"), BesideTest.renewed(LONG)).orThrow();
            assertThat(library.getLock("p", Optional.of("s2")).orElseThrow().getOwnerName())
                    .isEqualTo("ours");
        }
    }

    @Test
    void rivalsNeverHoldAtOnce() throws Exception {
        try (Leases one = table.open("ours-1");
                Leases two = table.open("ours-2");
                AmazonDynamoDBLockClient ann = library("lib-1", LONG);
                AmazonDynamoDBLockClient bob = library("lib-2", LONG)) {
            new Contest().run(15, List.of(rival(ann), rival(bob), Contest.of(one, LONG), Contest.of(two, LONG)));
        }
    }

    private static Contest.Rival rival(AmazonDynamoDBLockClient library) {
        return () -> refusedOrGranted(library, Key.of(Contest.key()))
                .map(lock -> () -> assertThat(library.releaseLock(lock)).isTrue());
    }

    private static Optional<LockItem> refusedOrGranted(AmazonDynamoDBLockClient library, Key key)
            throws InterruptedException {
        try {
            return library.tryAcquireLock(atOnce(key));
        } catch (LockCurrentlyUnavailableException e) {
            return Optional.empty();
        }
    }
}
