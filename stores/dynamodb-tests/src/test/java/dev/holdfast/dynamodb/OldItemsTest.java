package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Items of format 1, as the code of 15 November 2026 wrote them: {@code items-format-1.json} is the content of its
 * table.
 */
class OldItemsTest {
    private static final Key HELD = Key.of("jobs", "held");
    private static final Key UPDATED = Key.of("jobs", "updated");
    private static final Key FREE = Key.of("jobs", "free");
    private static final Key DONE = Key.of("jobs", "done");
    private static final Key ATTRIBUTES = Key.of("jobs", "attributes");
    private static final Key ESCAPED = Key.of("a/b%", "c/d ü");
    private static final Key ANCHORED = Key.of("units", "anchored");
    private static final Key ANCHOR = Key.of("~anchors", "worker-1");

    private final String url = Tables.create();
    private final Leases leases =
            Holdfast.open(url, LeasesOptions.builder().holder("bob").build());

    @BeforeEach
    void loadOldItems() throws IOException {
        try (InputStream json = Objects.requireNonNull(OldItemsTest.class.getResourceAsStream("items-format-1.json"));
                DynamoDbClient service = LocalDynamo.client()) {
            for (JsonNode node : new ObjectMapper().readTree(json)) {
                Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> item = new HashMap<>();
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    item.put(field.getKey(), value(field.getValue()));
                }
                service.putItem(request ->
                        request.tableName(DynamoUrl.parse(url).table()).item(item));
            }
        }
    }

    private static software.amazon.awssdk.services.dynamodb.model.AttributeValue value(JsonNode node)
            throws IOException {
        var value = software.amazon.awssdk.services.dynamodb.model.AttributeValue.builder();
        if (node.has("B")) {
            return value.b(SdkBytes.fromByteArray(node.get("B").binaryValue())).build();
        }
        return node.has("N")
                ? value.n(node.get("N").asText()).build()
                : value.s(node.get("S").asText()).build();
    }

    @AfterEach
    void close() {
        leases.close();
    }

    private Entry entry(Key key) {
        return leases.get(key).orElseThrow().entry();
    }

    private Grant grant(Key key) {
        return Objects.requireNonNull(entry(key).grant());
    }

    private Token token(Key key) {
        return grant(key).token();
    }

    @Test
    void allOfThemAreRead() {
        assertThat(leases.list(LeaseFilter.all()).map(status -> status.key()))
                .containsExactlyInAnyOrder(HELD, UPDATED, FREE, DONE, ATTRIBUTES, ESCAPED, ANCHORED, ANCHOR);
        assertThat(entry(HELD).state()).isEqualTo(LeaseState.HELD);
        assertThat(entry(FREE).state()).isEqualTo(LeaseState.FREE);
        assertThat(entry(DONE).state()).isEqualTo(LeaseState.DONE);
        assertThat(entry(DONE).doneAt()).isNotNull();
        assertThat(grant(HELD).beat().id()).isEqualTo(entry(HELD).version().id());
        assertThat(grant(UPDATED).beat().id())
                .isNotEqualTo(entry(UPDATED).version().id());
        assertThat(grant(ANCHORED).anchor())
                .isEqualTo(new AnchorRef(ANCHOR, entry(ANCHOR).fence()));
    }

    @Test
    void attributesOfEveryTypeAreReadAndKept() {
        Map<String, AttributeValue> expected = Map.ofEntries(
                Map.entry("text", AttributeValue.of("héllo 😀")),
                Map.entry("empty", AttributeValue.of("")),
                Map.entry("number", AttributeValue.of(new BigDecimal("-12345678901234567890.5"))),
                Map.entry("long", AttributeValue.of(42)),
                Map.entry("yes", AttributeValue.of(true)),
                Map.entry("bytes", AttributeValue.of(new byte[] {0, 1, -1})),
                Map.entry(
                        "list",
                        new AttributeValue.ListOf(List.of(
                                AttributeValue.of("a"), AttributeValue.of(1), new AttributeValue.ListOf(List.of())))),
                Map.entry("map", new AttributeValue.MapOf(Map.of("k", AttributeValue.of(false)))),
                // The following were sets when they were stored.
                Map.entry("texts", list(AttributeValue.of("x"), AttributeValue.of("y"))),
                Map.entry("numbers", list(AttributeValue.of(1), AttributeValue.of(new BigDecimal("2.5")))),
                Map.entry("byteses", list(bytes(), bytes(7))));
        assertThat(entry(ATTRIBUTES).attributes()).isEqualTo(Attributes.of(expected));

        leases.renew(ATTRIBUTES, token(ATTRIBUTES));

        assertThat(entry(ATTRIBUTES).attributes()).isEqualTo(Attributes.of(expected));
    }

    private static AttributeValue list(AttributeValue... values) {
        return new AttributeValue.ListOf(List.of(values));
    }

    private static AttributeValue bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return AttributeValue.of(bytes);
    }

    @Test
    void theirHoldersRenewUpdateFinishAndRelease() {
        leases.renew(HELD, token(HELD));
        leases.update(UPDATED, token(UPDATED), AttributePatch.putting("step", 8));
        leases.done(ESCAPED, token(ESCAPED), AttributePatch.NONE);
        leases.renew(ANCHOR, token(ANCHOR));

        assertThat(entry(UPDATED).attributes().get("step")).hasValue(AttributeValue.of(8));
        assertThat(entry(ESCAPED).state()).isEqualTo(LeaseState.DONE);
        assertThat(leases.release(HELD, token(HELD))).isTrue();
        assertThat(leases.release(ANCHORED, token(ANCHORED))).isTrue();
        assertThat(entry(ANCHORED).state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void otherClientsAreGrantedOnlyFreeKeys() {
        Fence before = entry(FREE).fence();
        AcquireOptions options = AcquireOptions.defaults();

        assertThat(leases.tryAcquire(FREE, options).orThrow().fence().value()).isGreaterThan(before.value());
        assertThat(leases.tryAcquire(HELD, options)).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(leases.tryAcquire(ANCHORED, options)).isInstanceOf(AcquireResult.HeldByAnother.class);
        assertThat(leases.tryAcquire(DONE, options)).isInstanceOf(AcquireResult.Done.class);
        leases.reopen(DONE);
        assertThat(leases.tryAcquire(DONE, options).isGranted()).isTrue();
    }
}
