package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
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
        assertThat(lease.attributes().get("numbers")).contains(list(number("1"), number("2.5")));
        assertThat(lease.attributes().names()).doesNotContain("null", "list", "leaseOwner", "leaseCounter", "holdfast");

        lease.update(AttributePatch.putting("status", "busy").remove("size"));

        assertThat(table.item(NAME))
                .containsEntry("status", AttributeValue.fromS("busy"))
                .doesNotContainKey("size");
    }

    @Test
    void setsAreListsAndStaySetsWhenTheyChange() {
        AttributeValue texts = AttributeValue.fromSs(List.of("b", "a"));
        AttributeValue blobs = AttributeValue.fromBs(List.of(blob(-128), blob(1)));
        AttributeValue numbers = AttributeValue.fromNs(List.of("2.5", "-12345678901234567890.123456789012345678"));
        AttributeValue map = AttributeValue.fromM(Map.of("in", texts, "x", AttributeValue.fromS("1")));
        put(Map.of(
                "leaseKey", AttributeValue.fromS(NAME), "texts", texts, "blobs", blobs, "numbers", numbers, "m", map));
        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();
        assertThat(lease.attributes().get("texts")).contains(list(text("a"), text("b")));
        assertThat(lease.attributes().get("blobs"))
                .contains(list(
                        dev.holdfast.AttributeValue.of(new byte[] {1}),
                        dev.holdfast.AttributeValue.of(new byte[] {-128})));
        assertThat(lease.attributes().get("numbers"))
                .contains(list(number("-12345678901234567890.123456789012345678"), number("2.5")));

        // All at once, as by a user who reads all attributes, changes some, and writes all of them back.
        Attributes read = lease.attributes();
        lease.update(AttributePatch.replaceWith(read.with("texts", list(text("a"), text("c")))
                .with("m", new MapOf(Map.of("in", list(text("d")), "x", text("2"))))));
        assertThat(value("blobs")).isEqualTo(blobs);
        assertThat(value("numbers").ns()).containsExactlyInAnyOrderElementsOf(numbers.ns());
        assertThat(value("texts").ss()).containsExactlyInAnyOrder("a", "c");
        assertThat(value("m").m())
                .containsEntry("in", AttributeValue.fromSs(List.of("d")))
                .containsEntry("x", AttributeValue.fromS("2"));

        // No set can hold these lists.
        lease.update(AttributePatch.putting("texts", list(text("a"), text("a")))
                .put("blobs", list())
                .put("numbers", list(number("1"), text("x"))));
        assertThat(value("texts").l()).hasSize(2);
        assertThat(value("blobs")).isEqualTo(AttributeValue.fromL(List.of()));
        assertThat(value("numbers").l()).hasSize(2);
    }

    private AttributeValue value(String name) {
        return Objects.requireNonNull(table.item(NAME).get(name));
    }

    private static ListOf list(dev.holdfast.AttributeValue... values) {
        return new ListOf(List.of(values));
    }

    private static dev.holdfast.AttributeValue text(String text) {
        return dev.holdfast.AttributeValue.of(text);
    }

    private static dev.holdfast.AttributeValue number(String digits) {
        return dev.holdfast.AttributeValue.of(new BigDecimal(digits));
    }

    private static SdkBytes blob(int octet) {
        return SdkBytes.fromByteArray(new byte[] {(byte) octet});
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
