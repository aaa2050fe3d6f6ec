package dev.holdfast.chaos;

import dev.holdfast.chaos.backend.ChaosBackends;
import dev.holdfast.chaos.bug.ClientBug;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The options of a run.
 *
 * @param termMillis the shortest term of a lease; others are longer by half of it at most
 * @param bug the name of a bug to plant in the clients; empty for none
 */
public record ChaosOptions(
        List<String> stores,
        int seconds,
        int clients,
        long seed,
        int termMillis,
        boolean guarded,
        String bug,
        Path out) {
    static final String HELP = """
            Usage: ./holdfast-chaos [options]
            Runs client processes on real stores under real faults, and judges their histories.

              --minutes N | --seconds N  how long the faults last, for each store (1 minute)
              --store NAME[,NAME...]     %s; or all (sqlite)
              --clients N                the number of client processes (5)
              --seed N                   of workload and faults (random)
              --term MILLIS              the shortest term of a lease (2000)
              --unguarded                the resource checks no fence: lost updates are expected
              --bug NAME                 plants a bug in the clients: %s
              --out DIR                  for history.txt, witness.txt and report.json of each store

            Exit code: 0 without violations, 1 with violations, 2 if the run itself failed.
            """.formatted(String.join(", ", ChaosBackends.NAMES), ClientBug.labels());

    private static final Set<String> WITH_VALUE =
            Set.of("--minutes", "--seconds", "--store", "--clients", "--seed", "--term", "--bug", "--out");

    private static final int CLIENTS_MAX = 50;

    /** A busy machine with two cores can renew in time. */
    private static final int TERM_MILLIS = 2000;

    private static final int TERM_MILLIS_MIN = 100;

    public ChaosOptions {
        stores = List.copyOf(stores);
        for (String store : stores) {
            if (!ChaosBackends.NAMES.contains(store)) {
                throw bad("--store", store, String.join(", ", ChaosBackends.NAMES) + " or all");
            }
        }
        atLeast("--seconds", seconds, 1);
        atLeast("--clients", clients, 1);
        atLeast("--term", termMillis, TERM_MILLIS_MIN);
        if (clients > CLIENTS_MAX) {
            throw bad("--clients", Integer.toString(clients), "<= " + CLIENTS_MAX);
        }
        ClientBug.named(bug);
    }

    /**
     * Parses a command line.
     *
     * @param anySeed for one that names no seed
     * @param runs the folder of runs that name no other
     */
    static ChaosOptions parse(List<String> arguments, int anySeed, Path runs) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            if (name.equals("--unguarded")) {
                given.put(name, "");
            } else if (WITH_VALUE.contains(name) && i + 1 < arguments.size()) {
                given.put(name, arguments.get(++i));
            } else {
                throw bad("option", name, "a known option with its value, see --help");
            }
        }
        String store = given.getOrDefault("--store", "sqlite");
        int seed = number(given, "--seed", anySeed);
        return new ChaosOptions(
                store.equals("all") ? ChaosBackends.NAMES : List.of(store.split(",", -1)),
                number(given, "--seconds", 60 * number(given, "--minutes", 1)),
                number(given, "--clients", 5),
                seed,
                number(given, "--term", TERM_MILLIS),
                !given.containsKey("--unguarded"),
                given.getOrDefault("--bug", ""),
                Path.of(given.getOrDefault("--out", runs.resolve("seed-" + seed).toString())));
    }

    private static int number(Map<String, String> given, String name, int otherwise) {
        String value = given.get(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw bad(name, String.valueOf(value), "a number");
        }
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw bad(name, Integer.toString(value), ">= " + least);
        }
    }

    private static IllegalArgumentException bad(String name, String value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }

    /** The command that runs one store again with the same seed. */
    String command(String store) {
        return "./holdfast-chaos --store " + store + " --seconds " + seconds + " --clients " + clients + " --seed "
                + seed
                + (termMillis == TERM_MILLIS ? "" : " --term " + termMillis)
                + (guarded ? "" : " --unguarded")
                + (bug.isEmpty() ? "" : " --bug " + bug);
    }
}
