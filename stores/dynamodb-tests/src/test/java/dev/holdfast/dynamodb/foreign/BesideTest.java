package dev.holdfast.dynamodb.foreign;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What tests beside another tool share: one manual time for all, and clients of ours on a table of theirs. */
abstract class BesideTest {
    static final String NAME = "shard-1";
    static final Key KEY = Key.of(NAME);

    final ManualClock time = new ManualClock();
    private final List<Leases> open = new ArrayList<>();

    abstract ForeignTable table();

    final Leases open(String holder) {
        Leases leases = Holdfast.open(
                new Inline(table().store(time)),
                LeasesOptions.builder().holder(holder).runtime(time).build());
        open.add(leases);
        return leases;
    }

    @AfterEach
    final void closeAll() {
        open.forEach(Leases::close);
    }

    static AcquireOptions renewed(Duration term) {
        return AcquireOptions.defaults().term(term);
    }

    static AcquireOptions unrenewed(Duration term) {
        return renewed(term).autoRenew(false);
    }

    final void put(Map<String, AttributeValue> item) {
        ForeignTable.CLIENT.putItem(request -> request.tableName(table().name).item(item));
    }

    /** One of every type that DynamoDB has, some with names that its expressions reserve. */
    static Map<String, AttributeValue> strange() {
        AttributeValue text = AttributeValue.fromS("text");
        Map<String, AttributeValue> strange = new HashMap<>();
        strange.put("status", text);
        strange.put("size", AttributeValue.fromN("-12345678901234567890.123456789"));
        strange.put("bytes", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, -1, 7})));
        strange.put("bool", AttributeValue.fromBool(false));
        strange.put("null", AttributeValue.fromNul(true));
        strange.put(
                "list", AttributeValue.fromL(List.of(text, AttributeValue.fromNul(true), AttributeValue.fromN("1"))));
        strange.put("map", AttributeValue.fromM(Map.of("a b", AttributeValue.fromL(List.of()), "ttl", text)));
        strange.put("texts", AttributeValue.fromSs(List.of("a", "b")));
        strange.put("numbers", AttributeValue.fromNs(List.of("1", "2.5")));
        strange.put("blobs", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("x"))));
        return strange;
    }
}
