package dev.holdfast.accord;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.proto.accord.ListRequest;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The handles that a list request selects, as far as its caller may read them.
 *
 * @param readable whether the caller may read a namespace; may throw once the caller is no longer known
 */
record HandleFilter(ListRequest.Filter filter, Predicate<String> readable) {
    /** The part of the filter that the store applies. */
    LeaseFilter stored() {
        LeaseFilter keys = LeaseFilter.namespacePrefix(filter.getPrefix());
        return filter.getStatus() == ListRequest.Filter.Status.DONE ? keys.state(LeaseState.DONE) : keys;
    }

    /** Whether a key is a selected handle. Holdfast's own keys and deleted keys are not handles. */
    boolean matches(LeaseStatus status) {
        return !status.key().isReserved()
                && status.entry().grant() != null
                && readable.test(status.key().namespace())
                && (filter.getStatus() != ListRequest.Filter.Status.PENDING || status.state() != LeaseState.DONE)
                && hasMetadata(status.attributes());
    }

    private boolean hasMetadata(Attributes attributes) {
        Map<String, String> wanted = filter.getMetadataMap();
        return wanted.isEmpty()
                || HandleMessages.metadata(attributes).entrySet().containsAll(wanted.entrySet());
    }
}
