package dev.holdfast.server.accord;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.proto.accord.ListRequest;
import java.util.Map;
import java.util.function.Predicate;

/** The handles that a list asks for, as far as its caller may read them. */
final class HandleFilter {
    private final ListRequest.Filter filter;
    private final Predicate<String> readable;

    /** @param readable whether the caller may read a namespace; may throw once that is not known any more */
    HandleFilter(ListRequest.Filter filter, Predicate<String> readable) {
        this.filter = filter;
        this.readable = readable;
    }

    /** What the store filters by. */
    LeaseFilter stored() {
        LeaseFilter keys = LeaseFilter.namespacePrefix(filter.getPrefix());
        return filter.getStatus() == ListRequest.Filter.Status.DONE ? keys.state(LeaseState.DONE) : keys;
    }

    /** Holdfast's own keys, and deleted ones, are no handles. */
    boolean matches(LeaseStatus status) {
        return !status.key().isReserved()
                && status.entry().grant() != null
                && readable.test(status.key().namespace())
                && (filter.getStatus() != ListRequest.Filter.Status.PENDING || status.state() != LeaseState.DONE)
                && hasMetadata(status.attributes());
    }

    private boolean hasMetadata(Attributes attributes) {
        Map<String, String> wanted = filter.getMetadataMap();
        return wanted.isEmpty() || HandleMetadata.of(attributes).entrySet().containsAll(wanted.entrySet());
    }
}
