package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EntryItemsTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
    private static final Version VERSION = Version.of(new UUID(1, 2));

    private static Entry held(Instant fence) {
        Grant grant =
                new Grant(Token.of(new UUID(3, 4)), Holder.of("ann"), Term.ofMillis(1000), Beat.of(VERSION), NOW, null);
        Fence value = Fence.of(ChronoUnit.MICROS.between(Instant.EPOCH, fence));
        return new Entry(Key.of("a"), VERSION, LeaseState.HELD, value, 1, grant, Attributes.NONE, NOW, null);
    }

    private static Instant end(Entry entry) {
        return Instant.ofEpochSecond(
                Long.parseLong(EntryItems.expiry(entry, NOW).orElseThrow().n()));
    }

    @Test
    void heldAndDoneKeysDoNotExpire() {
        assertThat(EntryItems.expiry(held(NOW), NOW)).isEmpty();
        assertThat(EntryItems.expiry(held(NOW).done(VERSION, NOW, Attributes.NONE), NOW))
                .isEmpty();
    }

    @Test
    void aFreeUnitOfAFleetDoesNotExpire() {
        Attributes unit = Attributes.NONE.with("~unit", true);

        assertThat(EntryItems.expiry(held(NOW).freed(VERSION).withAttributes(VERSION, unit), NOW))
                .isEmpty();
    }

    @Test
    void aFreeKeyExpiresAWeekFromNow() {
        assertThat(end(held(NOW.minus(Duration.ofDays(30))).freed(VERSION)))
                .isEqualTo(NOW.plus(Duration.ofDays(7)).plusSeconds(1));
    }

    @Test
    void aFenceOfAClockThatWasAheadDelaysExpiry() {
        Instant ahead = NOW.plus(Duration.ofDays(20));

        assertThat(end(held(ahead).freed(VERSION)))
                .isEqualTo(ahead.plus(Duration.ofDays(7)).plusSeconds(1));
    }
}
