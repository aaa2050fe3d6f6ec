package dev.holdfast.server.accord;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.proto.accord.Handle;
import java.time.Instant;
import java.util.Objects;

/** Entries as accord shows them. Its times are for people here: nothing is decided by them. */
final class HandleView {
    private HandleView() {}

    static Handle granted(Entry entry, Instant now) {
        Grant grant = Objects.requireNonNull(entry.grant());
        return handle(entry, now.plus(grant.term().duration()))
                .setId(HandleIds.of(grant.token()))
                .build();
    }

    /** @param withId whether to show the id, which is what a handle is renewed and finished by */
    static Handle listed(LeaseStatus status, Instant now, boolean withId) {
        Grant grant = Objects.requireNonNull(status.entry().grant());
        Handle.Builder handle = handle(status.entry(), expiry(status, grant, now));
        if (withId) {
            handle.setId(HandleIds.of(grant.token()));
        }
        return handle.build();
    }

    private static Instant expiry(LeaseStatus status, Grant grant, Instant now) {
        Instant firstTerm = grant.grantedAt().plus(grant.term().duration());
        return switch (status.state()) {
            case HELD -> now.plus(status.remaining());
            case DONE -> firstTerm;
            case FREE -> firstTerm.isBefore(now) ? firstTerm : now;
        };
    }

    private static Handle.Builder handle(Entry entry, Instant expiry) {
        return Handle.newBuilder()
                .setName(entry.key().name())
                .setNamespace(entry.key().namespace())
                .setExpTms(expiry.toEpochMilli())
                .setDoneTms(entry.doneAt() == null ? 0 : entry.doneAt().toEpochMilli())
                .setNumAcquired((int) Math.min(entry.grants(), 0xffff_ffffL))
                .putAllMetadata(Metadata.of(entry.attributes()));
    }
}
