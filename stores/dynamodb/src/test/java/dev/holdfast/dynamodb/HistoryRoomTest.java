package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HistoryRoomTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00.123456Z");
    private static final HistoryRoom BY_DEFAULT = new HistoryRoom(true);
    private static final HistoryRoom AS_ASKED = new HistoryRoom(false);

    private static Entry entry(int lines, int attributeBytes) {
        List<PastGrant> past = new ArrayList<>();
        for (int i = 1; i <= lines; i++) {
            Instant time = NOW.plusSeconds(i);
            past.add(new PastGrant(
                    i,
                    Holder.of("root@a-rather-long-host-name-" + i),
                    Fence.of(time.getEpochSecond() * 1_000_000),
                    time,
                    GrantEnd.RELEASED,
                    time.plusMillis(700)));
        }
        Version version = Version.of(new UUID(1, 2));
        Grant grant = new Grant(
                Token.of(new UUID(3, 4)), Holder.of("root@host:1"), Term.ofMillis(30_000), Beat.of(version), NOW, null);
        Attributes attributes = attributeBytes == 0 ? Attributes.NONE : Attributes.of("a", "x".repeat(attributeBytes));
        return new Entry(
                Key.of("jobs", "nightly"),
                version,
                LeaseState.HELD,
                Fence.of(1_777_777_777_777_777L),
                lines + 1,
                grant,
                attributes,
                NOW,
                null,
                GrantHistory.of(NOW, past));
    }

    private static int kept(HistoryRoom room, Entry entry) {
        Optional<byte[]> bytes =
                room.of(entry, EntryItems.of(entry)).map(value -> value.b().asByteArray());
        GrantHistory history = GrantHistory.decode(bytes.orElse(null), entry.createdAt());
        List<PastGrant> all = entry.history().lines();
        assertThat(history.lines())
                .as("the last ones are kept")
                .isEqualTo(all.subList(all.size() - history.lines().size(), all.size()));
        return history.lines().size();
    }

    @Test
    void theUsualHistoryFitsIntoAnItemOfOneUnit() {
        assertThat(kept(BY_DEFAULT, entry(GrantHistory.USUAL_LINES, 0))).isEqualTo(GrantHistory.USUAL_LINES);
    }

    @Test
    void anItemKeepsOnlyAsManyLinesAsItsUnitsHaveRoomFor() {
        assertThat(kept(BY_DEFAULT, entry(50, 0))).isBetween(8, 20);
        assertThat(kept(BY_DEFAULT, entry(5, 450))).isBetween(1, 4);
        assertThat(kept(BY_DEFAULT, entry(5, 590))).isZero();
        // A larger item costs a second unit anyway, and that has room again.
        assertThat(kept(BY_DEFAULT, entry(5, 700))).isEqualTo(5);
    }

    @Test
    void aUrlThatAsksForLinesGetsThem() {
        assertThat(kept(AS_ASKED, entry(50, 590))).isEqualTo(50);
        assertThat(DynamoUrl.parse("dynamodb://leases?history=50").parameters().history())
                .isEqualTo(50);
    }

    @Test
    void anItemWithoutAHistoryHasNoAttributeForIt() {
        assertThat(BY_DEFAULT.of(entry(0, 0), EntryItems.of(entry(0, 0)))).isEmpty();
    }
}
