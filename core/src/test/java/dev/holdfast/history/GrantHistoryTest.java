package dev.holdfast.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrantHistoryTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00.123456Z");
    private static final Instant GRANTED = Instant.parse("2026-01-02T03:04:05.678901Z");
    private static final Holder HOLDER = Holder.of("build@ci-7:12345");

    /** A fence is usually the time of its grant. */
    private static final Fence FENCE = Fence.of(1_767_323_045_678_901L);

    private static PastGrant line(int number, GrantEnd end) {
        boolean evicted = end == GrantEnd.EVICTED;
        return new PastGrant(
                number,
                HOLDER,
                Fence.of(FENCE.value() + 60_000_000L * number),
                GRANTED.plusSeconds(60L * number),
                end,
                GRANTED.plusSeconds(60L * number + 30),
                evicted ? Holder.of("operator") : null,
                evicted ? "it hangs" : null);
    }

    private static List<PastGrant> lines(int count) {
        List<PastGrant> lines = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            lines.add(line(i, GrantEnd.RELEASED));
        }
        return lines;
    }

    @Test
    void everyEndSurvivesTheEncoding() {
        List<PastGrant> lines = new ArrayList<>();
        for (GrantEnd end : GrantEnd.values()) {
            lines.add(line(lines.size() + 1, end));
        }
        GrantHistory history = GrantHistory.of(CREATED, lines);

        assertThat(GrantHistory.decode(history.encoded(), CREATED)).isEqualTo(history);
        assertThat(GrantHistory.decode(history.encoded(), CREATED).lines()).isEqualTo(lines);
    }

    /** Stored bytes outlive the library that wrote them: this test must never be changed. */
    @Test
    void theFormatIsFixed() {
        List<PastGrant> lines = List.of(
                new PastGrant(3, Holder.of("a"), Fence.of(1000), Instant.EPOCH, GrantEnd.RELEASED, Instant.EPOCH),
                new PastGrant(
                        5,
                        Holder.of("b"),
                        Fence.of(1300),
                        Instant.ofEpochSecond(1),
                        GrantEnd.EVICTED,
                        Instant.ofEpochSecond(2),
                        Holder.of("a"),
                        "why"));

        assertThat(HexFormat.of()
                        .formatHex(GrantHistory.of(Instant.EPOCH, lines).encoded()))
                .isEqualTo("010003016101620377687902" + "0803e80700cf0f0100" + "0d02ac0201d8f4790480897a0103");
    }

    @Test
    void aLineTakesFewBytesAndAnEqualNameNone() {
        int one = GrantHistory.of(CREATED, lines(1)).encodedSize();
        int fifty = GrantHistory.of(CREATED, lines(50)).encodedSize();

        assertThat((fifty - one) / 49).isLessThanOrEqualTo(14);
        assertThat(GrantHistory.of(CREATED, lines(5)).encodedSize()).isLessThan(110);
    }

    @Test
    void timesThatDoNotMatchTheFenceSurviveToo() {
        for (Instant time : List.of(Instant.EPOCH, Instant.parse("1969-12-31T23:59:59.999999Z"), GRANTED)) {
            PastGrant line = new PastGrant(0, HOLDER, Fence.of(Long.MAX_VALUE), time, GrantEnd.EXPIRED, time);
            assertThat(GrantHistory.of(CREATED, List.of(line)).lines()).containsExactly(line);
        }
        PastGrant extreme = new PastGrant(1, HOLDER, Fence.of(1), Instant.MIN, GrantEnd.DONE, Instant.MAX);
        assertThat(GrantHistory.of(Instant.MAX, List.of(extreme)).lines()).hasSize(1);
    }

    @Test
    void theHistoryOfAnEarlierLifeOfTheKeyIsRejected() {
        byte[] encoded = GrantHistory.of(CREATED, lines(3)).encoded();

        assertThat(GrantHistory.decode(encoded, CREATED.plusNanos(1_000))).isSameAs(GrantHistory.NONE);
        assertThat(GrantHistory.decode(encoded, CREATED.plusNanos(999)).lines()).hasSize(3);
    }

    @Test
    void aNewerFormatIsKeptAndNotRead() {
        byte[] newer = GrantHistory.of(CREATED, lines(3)).encoded();
        newer[0] = 2;
        GrantHistory history = GrantHistory.decode(newer, CREATED.plusSeconds(1));

        assertThat(history.isReadable()).isFalse();
        assertThat(history.lines()).isEmpty();
        assertThat(history.encoded()).isEqualTo(newer);
    }

    @Test
    void fieldsThatALaterVersionAppendsToALineAreSkipped() {
        byte[] encoded = GrantHistory.of(CREATED, lines(1)).encoded();
        byte[] longer = Arrays.copyOf(encoded, encoded.length + 2);
        // One line is the end of the bytes, and its length is before it.
        int lengthAt = encoded.length - 1 - encodedLineLength(encoded);
        longer[lengthAt] = (byte) (longer[lengthAt] + 2);

        assertThat(GrantHistory.decode(longer, CREATED).lines()).isEqualTo(lines(1));
    }

    private static int encodedLineLength(byte[] encoded) {
        for (int length = 1; length < encoded.length; length++) {
            if (encoded[encoded.length - 1 - length] == length && encoded[encoded.length - 2 - length] == 1) {
                return length;
            }
        }
        throw new AssertionError("no line in " + HexFormat.of().formatHex(encoded));
    }

    @Test
    void damagedBytesNeverFail() {
        byte[] encoded = GrantHistory.of(CREATED, lines(5)).encoded();
        Random random = new Random(19);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = Arrays.copyOf(encoded, random.nextInt(encoded.length + 1));
            for (int flips = random.nextInt(4); damaged.length > 0 && flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            GrantHistory decoded = GrantHistory.decode(damaged, CREATED);
            assertThat(decoded.lines()).hasSizeLessThanOrEqualTo(5);
            // Whatever was read can be written again: a damaged history must not keep a holder from its release.
            assertThat(GrantHistory.of(CREATED, decoded.lines()).lines()).isEqualTo(decoded.lines());
        }
    }

    @Test
    void anEmptyHistoryTakesNoBytes() {
        assertThat(GrantHistory.of(CREATED, List.of())).isSameAs(GrantHistory.NONE);
        assertThat(GrantHistory.NONE.encodedSize()).isZero();
        assertThat(GrantHistory.decode(null, CREATED)).isSameAs(GrantHistory.NONE);
        assertThat(GrantHistory.NONE.lines()).isEmpty();
    }

    @Test
    void theLastLinesThatFitAreKept() {
        GrantHistory history = GrantHistory.of(CREATED, lines(10));
        int three = GrantHistory.of(CREATED, lines(10).subList(7, 10)).encodedSize();

        assertThat(history.within(history.encodedSize(), CREATED)).isSameAs(history);
        assertThat(history.within(three, CREATED).lines()).isEqualTo(lines(10).subList(7, 10));
        assertThat(history.within(three - 1, CREATED).lines())
                .isEqualTo(lines(10).subList(8, 10));
        assertThat(history.within(3, CREATED)).isSameAs(GrantHistory.NONE);
    }

    @Test
    void linesAreInOrderAndBounded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        GrantHistory.of(CREATED, List.of(line(2, GrantEnd.RELEASED), line(1, GrantEnd.RELEASED))));
        assertThatIllegalArgumentException().isThrownBy(() -> GrantHistory.of(CREATED, lines(51)));
    }

    @Test
    void onlyAnEvictionHasAnActor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new PastGrant(1, HOLDER, FENCE, GRANTED, GrantEnd.RELEASED, GRANTED, Holder.of("x"), null));
    }

    @Test
    void theEndOfAnExpiredGrantIsNotAMoment() {
        assertThat(line(1, GrantEnd.EXPIRED).endedAt()).isEmpty();
        assertThat(line(1, GrantEnd.ORPHANED).endedAt()).isEmpty();
        assertThat(line(1, GrantEnd.RELEASED).endedAt())
                .hasValue(line(1, GrantEnd.RELEASED).endedBy());
    }
}
