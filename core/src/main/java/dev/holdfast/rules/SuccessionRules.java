package dev.holdfast.rules;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import dev.holdfast.store.SizeLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The courtesy to the holder that a release names as its successor. While it lasts, waiting requests of other holders yield to it.
 *
 * <p>It affects only the order of grants, never their safety: every grant is conditional on the version, as always. So it may use
 * the wall clocks of two machines. If they differ, the courtesy is shorter, or lasts twice as long at most.
 */
public final class SuccessionRules {
    /** Long enough for a client that polls to notice the release; short enough to be harmless if the successor is gone. */
    public static final Duration COURTESY = Duration.ofSeconds(3);

    /** The attribute of a free key that names the successor. The next grant removes it. */
    static final String NEXT = "~next";

    private static final String HOLDER = "holder";
    private static final String AT_MILLIS = "at";

    /** Room for the longest holder and the time, in the encoding of attributes. */
    private static final int MARK_BYTES = SizeLimits.HOLDER_BYTES + 64;

    private SuccessionRules() {}

    /** The attributes of a key that is released for {@code next}. Full attributes stay as they are, without the courtesy. */
    static Attributes naming(Attributes attributes, @Nullable Holder next, Instant now) {
        boolean fits = attributes.size() < SizeLimits.ATTRIBUTE_COUNT
                && attributes.encodedSize() + MARK_BYTES <= SizeLimits.ATTRIBUTES_BYTES;
        if (next == null || !fits) {
            return attributes;
        }
        return attributes.with(
                NEXT,
                new AttributeValue.MapOf(Map.of(
                        HOLDER,
                        AttributeValue.of(next.name()),
                        AT_MILLIS,
                        new AttributeValue.Number(BigDecimal.valueOf(now.toEpochMilli())))));
    }

    /** The attributes without the mark of a release. */
    static Attributes withoutMark(Attributes attributes) {
        return attributes.get(NEXT).isPresent() ? attributes.without(NEXT) : attributes;
    }

    /** The reservation that {@code asker} yields to; null if there is none, or the courtesy is over. */
    static Decision.@Nullable Reserved reservation(Entry entry, Holder asker, Instant now) {
        if (entry.state() != LeaseState.FREE
                || !(entry.attributes().get(NEXT).orElse(null) instanceof AttributeValue.MapOf mark)
                || !(mark.entries().get(HOLDER) instanceof AttributeValue.Text holder)
                || !(mark.entries().get(AT_MILLIS) instanceof AttributeValue.Number at)
                || holder.value().isEmpty()
                || holder.value().equals(asker.name())) {
            return null;
        }
        Duration since = Duration.ofMillis(now.toEpochMilli() - at.value().longValue());
        if (since.abs().compareTo(COURTESY) >= 0) {
            return null;
        }
        return new Decision.Reserved(Holder.of(holder.value()), COURTESY.minus(since));
    }
}
