package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Attributes;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.model.Version;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExpiryTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
    private static final Version VERSION = Version.of(new UUID(1, 2));

    private static Entry held(Instant fence) {
        Grant grant =
                new Grant(Token.of(new UUID(3, 4)), Holder.of("ann"), Term.ofMillis(1000), Beat.of(VERSION), NOW, null);
        Fence value = Fence.of(ChronoUnit.MICROS.between(Instant.EPOCH, fence));
        return new Entry(Key.of("a"), VERSION, State.HELD, value, 1, grant, Attributes.NONE, NOW, null);
    }

    private static Instant end(Entry entry) {
        return Instant.ofEpochSecond(
                Long.parseLong(Expiry.of(entry, NOW).orElseThrow().n()));
    }

    @Test
    void whatIsHeldOrDoneHasNoEnd() {
        assertThat(Expiry.of(held(NOW), NOW)).isEmpty();
        assertThat(Expiry.of(held(NOW).done(VERSION, NOW, Attributes.NONE), NOW))
                .isEmpty();
    }

    @Test
    void whatIsFreeEndsAWeekFromNow() {
        assertThat(end(held(NOW.minus(Duration.ofDays(30))).freed(VERSION)))
                .isEqualTo(NOW.plus(Duration.ofDays(7)).plusSeconds(1));
    }

    @Test
    void aFenceOfAClockThatWasAheadHasToPassFirst() {
        Instant ahead = NOW.plus(Duration.ofDays(20));

        assertThat(end(held(ahead).freed(VERSION)))
                .isEqualTo(ahead.plus(Duration.ofDays(7)).plusSeconds(1));
    }
}
