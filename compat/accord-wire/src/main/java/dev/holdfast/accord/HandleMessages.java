package dev.holdfast.accord;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.service.StatusLookup.ListedStatus;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The translation between entries and the messages of accord. Metadata, a map of texts, are attributes. The times in them are for humans: no decision depends on them.
 *
 * <p>A handle expires one ttl after it was granted or last renewed. Other clients can acquire it a little later,
 * because the store's margin for clocks is not part of the shown expiry.
 */
final class HandleMessages {
    /**
     * Two times of one moment count as equal if they differ by less than this. One is the time of the grant by the
     * clock of its server; the other follows from the time elapsed since then by the store's clock. So a list shows
     * exactly the expiry that the acquire returned.
     */
    private static final Duration SAME_MOMENT = Duration.ofMillis(100);

    private HandleMessages() {}

    static Handle granted(Entry entry) {
        Grant grant = Objects.requireNonNull(entry.grant());
        return handle(entry, grant.grantedAt().plus(grant.term().duration()))
                .setId(HandleKeys.id(grant.token()))
                .build();
    }

    /** @param withId whether to show the id, with which a handle is renewed and finished */
    static Handle listed(ListedStatus listed, Instant now, boolean withId) {
        Entry entry = listed.status().entry();
        Grant grant = Objects.requireNonNull(entry.grant());
        Handle.Builder handle = handle(entry, expiry(listed, grant, now));
        if (withId) {
            handle.setId(HandleKeys.id(grant.token()));
        }
        return handle.build();
    }

    private static Instant expiry(ListedStatus listed, Grant grant, Instant now) {
        Duration term = grant.term().duration();
        Instant expiry = lastBeat(listed, grant, now).plus(term);
        Instant doneAt = listed.status().entry().doneAt();
        return switch (listed.status().state()) {
            case HELD -> expiry;
            // A store that does not report ages shows a beat of unknown age.
            case DONE -> earlier(expiry, Objects.requireNonNull(doneAt).plus(term));
            case FREE -> earlier(expiry, now);
        };
    }

    private static Instant lastBeat(ListedStatus listed, Grant grant, Instant now) {
        Instant beat = now.minus(Objects.requireNonNull(listed.sinceBeat()));
        boolean same = Duration.between(grant.grantedAt(), beat).abs().compareTo(SAME_MOMENT) < 0;
        return same ? grant.grantedAt() : beat;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static Handle.Builder handle(Entry entry, Instant expiry) {
        return Handle.newBuilder()
                .setName(entry.key().name())
                .setNamespace(entry.key().namespace())
                .setExpTms(expiry.toEpochMilli())
                .setDoneTms(entry.doneAt() == null ? 0 : entry.doneAt().toEpochMilli())
                .setNumAcquired((int) Math.min(entry.grants(), 0xffff_ffffL))
                .putAllMetadata(metadata(entry.attributes()));
    }

    /** A patch that merges {@code metadata} into the existing attributes. */
    static AttributePatch patch(Map<String, String> metadata) {
        if (metadata.isEmpty()) {
            return AttributePatch.NONE;
        }
        Map<String, AttributeValue> values = new HashMap<>();
        metadata.forEach((name, value) -> values.put(name, AttributeValue.of(value)));
        return AttributePatch.NONE.putAll(Attributes.of(values));
    }

    /** Attributes as metadata; values of other types are shown as text. */
    static Map<String, String> metadata(Attributes attributes) {
        Map<String, String> metadata = new HashMap<>();
        attributes.asMap().forEach((name, value) -> metadata.put(name, text(value)));
        return metadata;
    }

    private static String text(AttributeValue value) {
        if (value instanceof AttributeValue.Text text) {
            return text.value();
        }
        return value instanceof AttributeValue.Bool bool ? String.valueOf(bool.value()) : value.toString();
    }
}
