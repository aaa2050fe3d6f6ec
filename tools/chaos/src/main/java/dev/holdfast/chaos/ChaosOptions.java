package dev.holdfast.chaos;

import dev.holdfast.chaos.backend.ChaosBackends;
import dev.holdfast.chaos.bug.ClientBug;
import java.nio.file.Path;
import java.util.List;

/**
 * The options of a run.
 *
 * @param bug the name of a bug to plant in the clients; empty for none
 */
public record ChaosOptions(
        List<String> stores, int seconds, int clients, long seed, boolean guarded, String bug, Path out) {
    static final String HELP = """
            Usage: ./holdfast-chaos [options]
            Runs client processes on real stores under real faults, and judges their histories.

              --minutes N | --seconds N  how long the faults last, for each store (1 minute)
              --store NAME[,NAME...]     %s; or all (sqlite)
              --clients N                the number of client processes (5)
              --seed N                   of workload and faults (random)
              --unguarded                the resource checks no fence: lost updates are expected
              --bug NAME                 plants a bug in the clients: %s
              --out DIR                  for history.txt, witness.txt and report.json of each store

            Exit code: 0 without violations, 1 with violations, 2 if the run itself failed.
            """.formatted(String.join(", ", ChaosBackends.NAMES), ClientBug.labels());

    private static final int CLIENTS_MAX = 50;

    public ChaosOptions {
        stores = List.copyOf(stores);
        for (String store : stores) {
            if (!ChaosBackends.NAMES.contains(store)) {
                throw bad("--store", store, String.join(", ", ChaosBackends.NAMES) + " or all");
            }
        }
        if (seconds < 1) {
            throw bad("--seconds", Integer.toString(seconds), ">= 1");
        }
        if (clients < 1 || clients > CLIENTS_MAX) {
            throw bad("--clients", Integer.toString(clients), "1 to " + CLIENTS_MAX);
        }
        ClientBug.named(bug);
    }

    /** @param seed for a command line without one */
    static ChaosOptions parse(List<String> arguments, long seed, Path runs) {
        ChaosOptions options = new ChaosOptions(List.of("sqlite"), 60, 5, seed, true, "", runs.resolve("seed-" + seed));
        boolean hasOut = false;
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            if (name.equals("--unguarded")) {
                options = options.withGuarded(false);
                continue;
            }
            if (++i == arguments.size()) {
                throw bad(name, "", "an option with a value, see --help");
            }
            hasOut |= name.equals("--out");
            options = options.with(name, arguments.get(i));
        }
        return hasOut
                ? options
                : options.with("--out", runs.resolve("seed-" + options.seed).toString());
    }

    private ChaosOptions with(String name, String value) {
        return switch (name) {
            case "--minutes" -> new ChaosOptions(stores, 60 * number(name, value), clients, seed, guarded, bug, out);
            case "--seconds" -> new ChaosOptions(stores, number(name, value), clients, seed, guarded, bug, out);
            case "--store" ->
                new ChaosOptions(
                        value.equals("all") ? ChaosBackends.NAMES : List.of(value.split(",", -1)),
                        seconds,
                        clients,
                        seed,
                        guarded,
                        bug,
                        out);
            case "--clients" -> new ChaosOptions(stores, seconds, number(name, value), seed, guarded, bug, out);
            case "--seed" -> new ChaosOptions(stores, seconds, clients, number(name, value), guarded, bug, out);
            case "--bug" -> new ChaosOptions(stores, seconds, clients, seed, guarded, value, out);
            case "--out" -> new ChaosOptions(stores, seconds, clients, seed, guarded, bug, Path.of(value));
            default -> throw bad(name, value, "a known option, see --help");
        };
    }

    private ChaosOptions withGuarded(boolean newGuarded) {
        return new ChaosOptions(stores, seconds, clients, seed, newGuarded, bug, out);
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw bad(name, value, "a number");
        }
    }

    private static IllegalArgumentException bad(String name, String value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }

    /** The command that runs one store again with the same seed. */
    String command(String store) {
        return "./holdfast-chaos --store " + store + " --seconds " + seconds + " --clients " + clients + " --seed "
                + seed + (guarded ? "" : " --unguarded") + (bug.isEmpty() ? "" : " --bug " + bug);
    }
}
