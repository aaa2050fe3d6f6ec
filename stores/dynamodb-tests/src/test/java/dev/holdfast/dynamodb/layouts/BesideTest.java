package dev.holdfast.dynamodb.layouts;

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

/** Base of tests beside another tool: one manual time for all, and our clients on a table of the tool. */
abstract class BesideTest {
    static final String NAME = "shard-1";
    static final Key KEY = Key.of(NAME);

    final ManualClock time = new ManualClock();
    private final List<Leases> open = new ArrayList<>();

    abstract ForeignTable table();

    final Leases open(String holder) {
        Leases leases = Holdfast.open(
                new Inline(table().store(time)),
                LeasesOptions.builder().holder(holder).environment(time).build());
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

    /** Returns an attribute of every type of DynamoDB, some with names that its expressions reserve. */
    static Map<String, AttributeValue> unknownAttributes() {
        AttributeValue text = AttributeValue.fromS("text");
        Map<String, AttributeValue> unknownAttributes = new HashMap<>();
        unknownAttributes.put("status", text);
        unknownAttributes.put("size", AttributeValue.fromN("-12345678901234567890.123456789"));
        unknownAttributes.put("bytes", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, -1, 7})));
        unknownAttributes.put("bool", AttributeValue.fromBool(false));
        unknownAttributes.put("null", AttributeValue.fromNul(true));
        unknownAttributes.put(
                "list", AttributeValue.fromL(List.of(text, AttributeValue.fromNul(true), AttributeValue.fromN("1"))));
        unknownAttributes.put("map", AttributeValue.fromM(Map.of("a b", AttributeValue.fromL(List.of()), "ttl", text)));
        unknownAttributes.put("texts", AttributeValue.fromSs(List.of("a", "b")));
        unknownAttributes.put("numbers", AttributeValue.fromNs(List.of("1", "2.5")));
        unknownAttributes.put("blobs", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("x"))));
        return unknownAttributes;
    }
}
