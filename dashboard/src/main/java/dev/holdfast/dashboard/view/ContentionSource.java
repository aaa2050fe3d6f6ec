package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.dashboard.activity.WaitSamples;
import dev.holdfast.dashboard.activity.WaitSamples.WaitFigures;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.dashboard.live.ViewState;
import dev.holdfast.explanation.WaitingLine.WaitingClient;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.security.ReadableNamespaces;
import dev.holdfast.service.LeaseActivity.WaitedKey;
import dev.holdfast.service.LeaseActivity.WaitingSummary;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The keys that clients wait for through this server, and the graph of holders that wait for each other. Reads memory only. */
final class ContentionSource implements ViewSource {
    /** The keys with the longest lines that are listed. */
    private static final int MOST_ROWS = 100;

    /** The keys whose lines are part of the graph. */
    private static final int MOST_GRAPH_KEYS = 1_000;

    private static final int FIRST_SHOWN = 3;

    private final ServedLeases served;
    private final WaitSamples samples;
    private final Predicate<Key> readable;

    ContentionSource(ServedLeases served, WaitSamples samples, ReadableNamespaces namespaces) {
        this.served = served;
        this.samples = samples;
        this.readable = key -> namespaces.includes(key.namespace());
    }

    @Override
    public CompletionStage<ViewState> read(Set<Key> changed) {
        WaitingSummary waiting = served.service().activity().waiting(readable, MOST_GRAPH_KEYS);
        WaitGraph graph = new WaitGraph();
        Set<Key> listed = new HashSet<>();
        waiting.longest().stream().limit(MOST_ROWS).forEach(waited -> listed.add(waited.key()));
        Map<Key, WaitFigures> byKey = samples.byKey(listed::contains);
        Map<String, String> rows = new LinkedHashMap<>();
        for (WaitedKey waited : waiting.longest()) {
            Optional<String> holder = holder(waited.key());
            holder.ifPresent(name -> graph.add(waited, name));
            if (listed.contains(waited.key())) {
                rows.put(
                        ViewJson.id(waited.key()),
                        row(waited, holder, byKey.get(waited.key())).toString());
            }
        }
        ObjectNode head = ViewJson.head(served);
        figures(head.putObject("waits"), samples.of(readable));
        head.put("keys", waiting.keys()).put("requests", waiting.requests());
        head.set("graph", graph.json());
        head.put("truncated", waiting.keys() > waiting.longest().size() || graph.isTruncated());
        return CompletableFuture.completedFuture(ViewState.of(head, rows));
    }

    private Optional<String> holder(Key key) {
        return Optional.ofNullable(served.service().lastObserved(key))
                .map(seen -> seen.entry())
                .map(entry -> entry.grant())
                .map(grant -> grant.holder().name());
    }

    private static void figures(ObjectNode json, WaitFigures waits) {
        json.put("count", waits.count())
                .put("p50", ViewJson.seconds(waits.p50()))
                .put("p99", ViewJson.seconds(waits.p99()))
                .put("longest", ViewJson.seconds(waits.longest()))
                .put("minutes", Math.max(1, waits.covered().plusSeconds(59).toMinutes()));
    }

    private static ObjectNode row(WaitedKey waited, Optional<String> holder, @Nullable WaitFigures figures) {
        ObjectNode row = ViewJson.key(waited.key());
        holder.ifPresent(name -> row.put("holder", name));
        Duration longest = waited.line().first().stream()
                .map(WaitingClient::waited)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        // Whole seconds, so that a row is sent once a second at most.
        row.put("line", waited.line().total()).put("longestWait", longest.toSeconds() + "s");
        ArrayNode first = row.putArray("first");
        waited.line().first().stream()
                .limit(FIRST_SHOWN)
                .forEach(client -> first.add(client.holder().name()));
        if (figures != null) {
            row.put("p50", ViewJson.seconds(figures.p50())).put("p99", ViewJson.seconds(figures.p99()));
        }
        return row;
    }

    @Override
    public boolean concerns(Key key) {
        return false;
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(1);
    }
}
