package dev.holdfast.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The check that every recent key can be acquired, or is done, once all faults have healed and all clients have ended. */
final class ProgressCheck {
    private ProgressCheck() {}

    static List<ChaosViolation> check(ClientGroup clients, HistoryFile history, int sinceEpoch)
            throws IOException, InterruptedException {
        List<String> keys = history.keysSince(sinceEpoch);
        if (keys.isEmpty()) {
            return List.of(violation("", "no client has acquired a key", List.of()));
        }
        boolean ended = clients.probe(keys);
        List<ChaosViolation> violations = new ArrayList<>();
        if (!ended) {
            violations.add(violation("", "the client after the run did not end", List.of()));
        }
        Map<String, String> keyOfCall = new HashMap<>();
        for (String line : history.probeLines()) {
            String call = line.substring(0, line.indexOf(' '));
            if (line.contains(" op=acquire ")) {
                int key = line.indexOf(" key=") + 5;
                keyOfCall.put(call, line.substring(key, line.indexOf(' ', key)));
            } else if (keyOfCall.containsKey(call) && !line.contains(" out=granted ") && !line.contains(" out=done ")) {
                violations.add(violation(keyOfCall.get(call), "it could not be acquired after the run", List.of(line)));
            }
        }
        return violations;
    }

    /** The violations of clients that could not end their calls after all faults had healed. */
    static List<ChaosViolation> stuck(List<String> clients, HistoryFile history) {
        return clients.stream()
                .map(client -> violation("", client + " could not end its calls", history.openCalls(client)))
                .toList();
    }

    private static ChaosViolation violation(String key, String rule, List<String> lines) {
        return new ChaosViolation("no progress", key, rule, lines);
    }
}
