package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.explanation.WaitingLine.WaitingClient;
import dev.holdfast.service.LeaseActivity.WaitedKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The graph of waiting holders: an edge from each holder that waits for a key to the holder of that key. A cycle is a deadlock, as
 * far as each holder waits for the end of the others' leases.
 */
final class WaitGraph {
    /** More edges cannot be drawn. */
    private static final int MOST_EDGES = 500;

    private static final int MOST_CYCLES = 20;

    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, Set<String>> next = new LinkedHashMap<>();
    private boolean truncated;

    private record Edge(String from, String to, Key key) {}

    void add(WaitedKey waited, String holder) {
        truncated |= waited.line().total() > waited.line().first().size();
        for (WaitingClient client : waited.line().first()) {
            if (edges.size() == MOST_EDGES) {
                truncated = true;
                return;
            }
            edges.add(new Edge(client.holder().name(), holder, waited.key()));
            next.computeIfAbsent(client.holder().name(), any -> new LinkedHashSet<>())
                    .add(holder);
            next.computeIfAbsent(holder, any -> new LinkedHashSet<>());
        }
    }

    boolean isTruncated() {
        return truncated;
    }

    ObjectNode json() {
        List<List<String>> cycles = cycles();
        Set<String> inCycle = new LinkedHashSet<>();
        cycles.forEach(inCycle::addAll);
        ObjectNode json = ViewJson.object();
        ArrayNode nodes = json.putArray("nodes");
        next.keySet().forEach(holder -> {
            ObjectNode node = nodes.addObject().put("holder", holder);
            if (inCycle.contains(holder)) {
                node.put("cycle", true);
            }
        });
        ArrayNode drawn = json.putArray("edges");
        edges.forEach(edge -> drawn.addObject()
                .put("from", edge.from)
                .put("to", edge.to)
                .put("namespace", edge.key.namespace())
                .put("name", edge.key.name()));
        ArrayNode listed = json.putArray("cycles");
        for (List<String> cycle : cycles) {
            ArrayNode names = listed.addArray();
            cycle.forEach(names::add);
        }
        return json;
    }

    /** One cycle through each holder that is in one and is not part of an earlier cycle: the shortest. */
    List<List<String>> cycles() {
        List<List<String>> cycles = new ArrayList<>();
        Set<String> covered = new LinkedHashSet<>();
        for (String start : next.keySet()) {
            if (!covered.contains(start) && cycles.size() < MOST_CYCLES) {
                List<String> cycle = shortest(start);
                if (!cycle.isEmpty()) {
                    cycles.add(cycle);
                    covered.addAll(cycle);
                }
            }
        }
        return cycles;
    }

    /** The shortest way from a holder back to itself; empty if there is none. */
    private List<String> shortest(String start) {
        Map<String, String> cameFrom = new HashMap<>();
        Deque<String> reached = new ArrayDeque<>(List.of(start));
        while (!reached.isEmpty()) {
            String at = reached.remove();
            for (String to : next.getOrDefault(at, Set.of())) {
                if (to.equals(start)) {
                    return path(start, at, cameFrom);
                }
                if (cameFrom.putIfAbsent(to, at) == null) {
                    reached.add(to);
                }
            }
        }
        return List.of();
    }

    private static List<String> path(String start, String end, Map<String, String> cameFrom) {
        List<String> path = new ArrayList<>();
        @Nullable String at = end;
        while (at != null && !at.equals(start)) {
            path.add(0, at);
            at = cameFrom.get(at);
        }
        path.add(0, start);
        return path;
    }
}
