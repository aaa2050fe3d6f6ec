package dev.holdfast.dashboard.view;

import dev.holdfast.AttributeValue;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.dashboard.activity.NamespaceFilters;
import dev.holdfast.server.security.ReadableNamespaces;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a search selects. The text is the beginning of a key, {@code namespace/name}, where both may contain slashes. So a
 * text with slashes has several meanings, and each is one part of the search: a range of an index. State, holder and attribute are
 * checked key by key, except the state where an index has it.
 */
final class LeaseSearch {
    private final List<LeaseFilter> parts = new ArrayList<>();
    private final @Nullable LeaseState state;
    private final String holder;
    private final String attribute;

    LeaseSearch(ViewRequest request) {
        this.state = state(request.text("state"));
        this.holder = request.text("holder");
        this.attribute = request.text("attribute");
        addParts(request.readable(), request.text("search"));
    }

    private static @Nullable LeaseState state(String text) {
        return switch (text) {
            case "" -> null;
            case "held", "free", "done" -> LeaseState.valueOf(text.toUpperCase(Locale.ROOT));
            default -> throw ArgumentCheck.bad("state", text, "held, free or done");
        };
    }

    /** Shorter namespaces sort first, so the parts are in the order of keys. */
    private void addParts(ReadableNamespaces readable, String search) {
        if (!search.isEmpty()) {
            addNames(readable, "", search.startsWith("/") ? search.substring(1) : search);
            for (int slash = search.indexOf('/'); slash >= 0; slash = search.indexOf('/', slash + 1)) {
                String namespace = search.substring(0, slash);
                addNames(readable, namespace, search.substring(slash + 1));
                if (namespace.contains("%2F") || namespace.contains("%25")) {
                    // A key as other parts of Holdfast print it.
                    String decoded = namespace.replace("%2F", "/").replace("%25", "%");
                    addNames(readable, decoded, search.substring(slash + 1));
                }
            }
        }
        for (LeaseFilter filter : NamespaceFilters.of(readable, search)) {
            parts.add(state == null ? filter : filter.state(state));
        }
    }

    private void addNames(ReadableNamespaces readable, String namespace, String names) {
        boolean isKnown = parts.stream()
                .anyMatch(it -> it.prefix().equals(namespace)
                        && it.namePrefix().filter(names::equals).isPresent());
        if (readable.includes(namespace) && !isKnown) {
            parts.add(LeaseFilter.names(namespace, names));
        }
    }

    List<LeaseFilter> parts() {
        return parts;
    }

    /** Whether keys of a part may fail to match, so that many may have to be read to find a few. */
    boolean isFiltered(int part) {
        return isFilteredByContent()
                || (state != null && parts.get(part).state().isEmpty());
    }

    boolean isFilteredByContent() {
        return !holder.isEmpty() || !attribute.isEmpty();
    }

    /** Whether a key is in one of the parts. */
    boolean concerns(Key key) {
        return parts.stream().anyMatch(part -> part.matchesKey(key));
    }

    /** Whether a key of one of the parts matches everything else. */
    boolean matches(LeaseStatus status) {
        return (state == null || status.state() == state)
                && (holder.isEmpty()
                        || status.holder()
                                .filter(it -> it.name().contains(holder))
                                .isPresent())
                && (attribute.isEmpty() || hasAttribute(status));
    }

    /** {@code name=value}, or a name alone. */
    private boolean hasAttribute(LeaseStatus status) {
        int equals = attribute.indexOf('=');
        String name = equals < 0 ? attribute : attribute.substring(0, equals);
        Optional<String> value = status.attributes().get(name).map(LeaseSearch::text);
        return value.filter(it -> equals < 0 || it.equals(attribute.substring(equals + 1)))
                .isPresent();
    }

    private static String text(AttributeValue value) {
        return value instanceof AttributeValue.Text text ? text.value() : value.toString();
    }
}
