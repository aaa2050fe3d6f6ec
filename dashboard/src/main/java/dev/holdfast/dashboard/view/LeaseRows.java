package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.service.LeaseActivity.WaitedKey;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rows of leases. A row that shows nothing new keeps its text, although each reading measures the end of the lease a little
 * differently: otherwise all rows would be sent again and again.
 */
final class LeaseRows {
    private static final Duration SAME_END = Duration.ofSeconds(1);

    private final ServedLeases served;
    private Map<Key, Row> shown = Map.of();

    private record Row(Version version, LeaseState state, Instant end, int waiting, String text) {}

    LeaseRows(ServedLeases served) {
        this.served = served;
    }

    /** The rows of these leases by id, in the same order. */
    Map<String, String> of(Collection<LeaseStatus> statuses) {
        Set<Key> keys = new HashSet<>();
        statuses.forEach(status -> keys.add(status.key()));
        Map<Key, Integer> waiting = new HashMap<>();
        for (WaitedKey waited :
                served.service().activity().waiting(keys::contains, keys.size()).longest()) {
            waiting.put(waited.key(), waited.line().total());
        }
        Instant now = ViewJson.now(served);
        Map<Key, Row> rows = new HashMap<>();
        Map<String, String> texts = new LinkedHashMap<>();
        for (LeaseStatus status : statuses) {
            Row row = row(status, now, waiting.getOrDefault(status.key(), 0));
            rows.put(status.key(), row);
            texts.put(ViewJson.id(status.key()), row.text);
        }
        shown = rows;
        return texts;
    }

    private Row row(LeaseStatus status, Instant now, int waiting) {
        Instant end = now.plus(status.remaining());
        Row before = shown.get(status.key());
        boolean isSame = before != null
                && before.version.equals(status.entry().version())
                && before.state == status.state()
                && before.waiting == waiting
                && (!status.isHeld() || Duration.between(before.end, end).abs().compareTo(SAME_END) < 0);
        return isSame && before != null
                ? before
                : new Row(
                        status.entry().version(),
                        status.state(),
                        end,
                        waiting,
                        json(status, end, waiting).toString());
    }

    private static ObjectNode json(LeaseStatus status, Instant end, int waiting) {
        ObjectNode row = ViewJson.key(status.key());
        row.put("state", status.state().name().toLowerCase(Locale.ROOT));
        row.put("fence", Long.toString(status.fence().value()));
        row.put("grants", status.entry().grants()).put("waiting", waiting);
        if (status.isExpired()) {
            row.put("expired", true);
        }
        Instant doneAt = status.entry().doneAt();
        if (doneAt != null && !doneAt.equals(Instant.EPOCH)) {
            row.put("doneAt", ViewJson.time(doneAt));
        }
        Grant grant = status.entry().grant();
        if (grant != null) {
            row.put("holder", grant.holder().name());
            if (grant.term().isKnown()) {
                row.put("term", ViewJson.seconds(grant.term().duration()));
            }
            if (!grant.grantedAt().equals(Instant.EPOCH)) {
                row.put("grantedAt", ViewJson.time(grant.grantedAt()));
            }
            if (grant.anchor() != null && status.isHeld()) {
                row.put("anchor", grant.anchor().key().toString());
            }
        }
        if (status.isHeld()) {
            row.put("remaining", ViewJson.seconds(status.remaining())).put("expiresAt", ViewJson.time(end));
        }
        return row;
    }
}
