package dev.holdfast.dynamodb.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue.NumberSet;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Extra fields of a8m/lease, and attributes that Holdfast does not know. */
class KclAttributesTest extends BesideTest {
    private static final Duration TERM = A8mWorker.EXPIRE_AFTER;

    private final ForeignTable table = new ForeignTable("layout=kcl", "leaseKey");

    @Override
    ForeignTable table() {
        return table;
    }

    @Test
    void unknownAttributesSurviveAllOurWrites() {
        Map<String, AttributeValue> unknownAttributes = unknownAttributes();
        put(Tool.with(unknownAttributes, Map.of("leaseKey", AttributeValue.fromS(NAME))));
        Leases ours = open("ours");

        Lease lease = ours.tryAcquire(KEY, renewed(TERM).attributes(Attributes.of("host", "h1")))
                .orThrow();
        lease.renew();
        lease.update(AttributePatch.putting("checkpoint", 42));
        ours.evict(KEY, "to try it");
        ours.tryAcquire(KEY, renewed(TERM)).orThrow().release();

        Map<String, AttributeValue> item = table.item(NAME);
        unknownAttributes.forEach(
                (name, value) -> assertThat(item.get(name)).as(name).isEqualTo(value));
        assertThat(item.get("host")).isEqualTo(AttributeValue.fromS("h1"));
        assertThat(item.get("checkpoint")).isEqualTo(AttributeValue.fromN("42"));
    }

    @Test
    void extraFieldsAreAttributesInBothDirections() {
        put(Tool.with(unknownAttributes(), Map.of("leaseKey", AttributeValue.fromS(NAME))));
        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();

        assertThat(lease.attributes().text("status")).contains("text");
        assertThat(lease.attributes().get("numbers"))
                .contains(new NumberSet(Set.of(BigDecimal.ONE, new BigDecimal("2.5"))));
        assertThat(lease.attributes().names()).doesNotContain("null", "list", "leaseOwner", "leaseCounter", "holdfast");

        lease.update(AttributePatch.putting("status", "busy").remove("size"));

        assertThat(table.item(NAME))
                .containsEntry("status", AttributeValue.fromS("busy"))
                .doesNotContainKey("size");
    }

    @Test
    void namesThatTheLayoutUsesAreRejected() {
        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> lease.update(AttributePatch.putting("leaseOwner", "me")))
                .withMessageContaining("attribute name: leaseOwner");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open("NULL").tryAcquire(Key.of("other"), renewed(TERM)))
                .withMessageContaining("holder: NULL");
    }

    @Test
    void theirChangesDuringOurLeaseAreKeptBesideOurs() {
        Leases ours = open("ours");
        Lease lease = ours.tryAcquire(KEY, renewed(TERM).attributes(Attributes.of("a", "1")))
                .orThrow();
        // As their update does it, which has no condition and leaves owner and counter unchanged.
        ForeignTable.CLIENT.updateItem(request -> request.tableName(table.name)
                .key(Map.of("leaseKey", AttributeValue.fromS(NAME)))
                .updateExpression("SET b = :b, a = :a")
                .expressionAttributeValues(
                        Map.of(":a", AttributeValue.fromS("theirs"), ":b", AttributeValue.fromS("theirs"))));

        lease.update(AttributePatch.putting("c", "ours"));
        open("other").get(KEY);
        lease.renew();
        lease.update(AttributePatch.putting("d", "ours"));

        assertThat(table.item(NAME))
                .containsEntry("a", AttributeValue.fromS("theirs"))
                .containsEntry("b", AttributeValue.fromS("theirs"))
                .containsEntry("c", AttributeValue.fromS("ours"))
                .containsEntry("d", AttributeValue.fromS("ours"));
        assertThat(ours.get(KEY).orElseThrow().attributes().names()).containsExactly("a", "b", "c", "d");
        assertThat(lease.isHeld()).isTrue();
    }
}
